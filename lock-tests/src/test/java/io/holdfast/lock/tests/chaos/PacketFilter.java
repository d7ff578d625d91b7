package io.holdfast.lock.tests.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The packet filter and the routes of this network, to be used in a network of one's own only. */
final class PacketFilter {

    private static final String BLACKHOLE = "66";

    /** Drops all packets of TCP that match. */
    void drop(String... match) {
        add(List.of(match));
    }

    /** Drops this part of the packets that match. */
    void dropSome(double probability, String... match) {
        List<String> words = new ArrayList<>(List.of(match));
        words.addAll(List.of(
                "-m",
                "statistic",
                "--mode",
                "random",
                "--probability",
                String.format(Locale.ROOT, "%.2f", probability)));
        add(words);
    }

    private static void add(List<String> match) {
        List<String> command = new ArrayList<>(List.of("iptables", "-w", "-A", "INPUT", "-p", "tcp"));
        command.addAll(match);
        command.addAll(List.of("-j", "DROP"));
        require(command);
    }

    private static void require(List<String> command) {
        if (!OwnNetwork.isInside()) {
            throw new IllegalStateException("packets may be dropped in a network of one's own only");
        }
        String problem = OwnNetwork.run(command);
        if (!problem.isEmpty()) {
            throw new Skipped("the kernel does not drop packets: " + problem);
        }
    }

    /** How many packets were dropped since the last {@link #clear()}. */
    long dropped() throws IOException {
        Process process = new ProcessBuilder("iptables", "-w", "-L", "INPUT", "-v", "-x", "-n").start();
        String table = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return table.lines()
                .filter(line -> line.contains("DROP"))
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[0]))
                .sum();
    }

    void clear() {
        require(List.of("iptables", "-w", "-F", "INPUT"));
    }

    /** Routes what is sent to a port nowhere: new connections fail at once, present ones fall silent. */
    void blackhole(int port) {
        // Rules are asked in order, and the one for local addresses is the first of all.
        require(List.of("ip", "rule", "add", "pref", "100", "lookup", "local"));
        require(List.of("ip", "rule", "del", "pref", "0"));
        require(List.of("ip", "route", "add", "blackhole", "default", "table", BLACKHOLE));
        require(List.of(
                "ip",
                "rule",
                "add",
                "pref",
                "10",
                "ipproto",
                "tcp",
                "dport",
                Integer.toString(port),
                "lookup",
                BLACKHOLE));
    }

    void endBlackhole() {
        require(List.of("ip", "rule", "del", "pref", "10"));
        require(List.of("ip", "route", "flush", "table", BLACKHOLE));
        require(List.of("ip", "rule", "add", "pref", "0", "lookup", "local"));
        require(List.of("ip", "rule", "del", "pref", "100"));
    }
}
