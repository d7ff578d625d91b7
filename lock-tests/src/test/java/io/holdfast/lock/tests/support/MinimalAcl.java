package io.holdfast.lock.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rights that the library needs, read out of its scripts and the list of what its connections send. */
public final class MinimalAcl {

    private static final Path SCRIPTS =
            Path.of("..", "lock-core", "src", "main", "resources", "io", "holdfast", "lock");

    private static final List<String> CONNECTIONS = List.of(
            "hello",
            "auth",
            "ping",
            "select",
            "client|setname",
            "client|id",
            "client|info",
            "client|kill",
            "info",
            "subscribe",
            "unsubscribe",
            "evalsha",
            "eval",
            "script|load");

    private static final List<String> CLUSTERS = List.of(
            "cluster|shards",
            "cluster|slots",
            "asking",
            "ssubscribe",
            "sunsubscribe",
            "spublish",
            "pubsub|shardnumsub");

    private static final List<String> SENTINELS = List.of(
            "hello",
            "auth",
            "ping",
            "client|setname",
            "subscribe",
            "sentinel|get-master-addr-by-name",
            "sentinel|master",
            "sentinel|sentinels",
            "sentinel|myid");

    /** What can do harm to others, and can be done without. */
    private static final Set<String> HARMFUL = Set.of("client|kill", "eval", "script|load");

    private static final Pattern CALL =
            Pattern.compile("redis\\.p?call\\('([A-Z]+)'(?:, '(NUMSUB)')?", Pattern.MULTILINE);

    private MinimalAcl() {}

    /** The commands, as ACL rules name them, without the plus sign. */
    public static Set<String> commands() {
        Set<String> commands = new TreeSet<>(CONNECTIONS);
        for (String script : scripts()) {
            Matcher calls = CALL.matcher(script);
            while (calls.find()) {
                String command = calls.group(1).toLowerCase(Locale.ROOT);
                commands.add(
                        calls.group(2) == null
                                ? command
                                : command + '|' + calls.group(2).toLowerCase(Locale.ROOT));
            }
        }
        return commands;
    }

    /** The same without those that can do harm to others. */
    public static Set<String> narrowCommands() {
        Set<String> commands = new TreeSet<>(commands());
        commands.removeAll(HARMFUL);
        return commands;
    }

    /** What is needed besides where replicas have to confirm locks. */
    public static Set<String> commandsForReplicas() {
        return Set.of("wait");
    }

    /** What is needed besides where locks have to be on disks; older servers do not know it. */
    public static Set<String> commandsForDisks() {
        return Set.of("waitaof");
    }

    /** What is needed besides at the nodes of a cluster; of the last four, nodes before 7.0 know none. */
    public static Set<String> commandsForClusters() {
        return new LinkedHashSet<>(CLUSTERS);
    }

    /** What is needed besides at the nodes of a cluster that are older than 7.0. */
    public static Set<String> commandsForOldClusters() {
        return Set.of("cluster|slots", "asking");
    }

    /** What a client says to a Sentinel. */
    public static Set<String> sentinelCommands() {
        return new TreeSet<>(SENTINELS);
    }

    /** The words behind {@code user} in a Sentinel's file, for a user with just these rights. */
    public static String[] sentinelRule(String user, String password, Set<String> commands) {
        List<String> words =
                new ArrayList<>(List.of(user, "on", ">" + password, "resetchannels", "&+switch-master", "-@all"));
        commands.forEach(command -> words.add('+' + command));
        return words.toArray(new String[0]);
    }

    /** The words of {@code ACL SETUSER} for a user with just these rights. */
    public static String[] rule(String user, String password, Set<String> commands) {
        List<String> words = new ArrayList<>(List.of(
                "ACL",
                "SETUSER",
                user,
                "on",
                ">" + password,
                "resetkeys",
                "resetchannels",
                "-@all",
                "~holdfast:*",
                "&holdfast:*"));
        commands.forEach(command -> words.add('+' + command));
        return words.toArray(new String[0]);
    }

    /** The text of every script that there is. */
    private static List<String> scripts() {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".lua")).toList()) {
                texts.add(Files.readString(file));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the scripts in " + SCRIPTS, unreadable);
        }
        if (texts.isEmpty()) {
            throw new IllegalStateException("no scripts in " + SCRIPTS.toAbsolutePath() + " (expected: *.lua)");
        }
        return texts;
    }
}
