package io.holdfast.lock.examples.monitor;

import io.holdfast.lock.examples.console.Console;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the clients that it knows, as lines: scripts by name, and below each what it did inside the server.
 * Commands of other clients are left out.
 */
final class Transcript {

    private static final int WIDTH = 110;

    private final Console console;
    private final ScriptNames scripts;
    private final Supplier<String> connections;
    private final Map<String, String> labelByClientName = new LinkedHashMap<>();
    private final Map<String, String> shortened = new LinkedHashMap<>();
    private final Map<String, String> labelByAddress = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private boolean on;
    private boolean scriptIsOurs;
    private int inScripts;
    private long startMicros;

    /** {@code connections} gives the server's list of its connections, in which clients are looked up by name. */
    Transcript(Console console, ScriptNames scripts, Supplier<String> connections) {
        this.console = console;
        this.scripts = scripts;
        this.connections = connections;
    }

    /** Shows the commands of the client of this name under a label. */
    synchronized void know(String clientName, String label) {
        labelByClientName.put(clientName, label);
    }

    /** Shows a long text that comes up again and again as a short one. */
    synchronized void shorten(String text, String as) {
        shortened.put(text, as);
    }

    /** Begins a new part: times and counts start at zero. */
    synchronized void begin() {
        on = true;
        startMicros = 0;
        inScripts = 0;
        counts.clear();
    }

    /** Ends the part; returns the number of commands per client, and of those inside scripts. */
    synchronized String end() {
        on = false;
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        List<String> parts = new ArrayList<>();
        if (counts.size() > 1) {
            counts.forEach((label, count) -> parts.add(label + " " + count));
        }
        return all + (all == 1 ? " command" : " commands")
                + (parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")")
                + ", " + inScripts + " steps inside scripts";
    }

    synchronized int commands() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized void add(ServerCommand command) {
        if (!on) {
            return;
        }
        if (command.isInScript()) {
            if (scriptIsOurs) {
                inScripts++;
                console.print(console.dim(fit("                   " + plain(command.words()))));
            }
            return;
        }
        String label = label(command.source());
        scriptIsOurs = label != null;
        if (label != null) {
            counts.merge(label, 1, Integer::sum);
            startMicros = startMicros == 0 ? command.micros() : startMicros;
            double millis = (command.micros() - startMicros) / 1000.0;
            console.print(fit(String.format(Locale.ROOT, " %+8.2f ms  %s  ", millis, label) + words(command)));
        }
    }

    private String words(ServerCommand command) {
        List<String> words = command.words();
        if (command.name().equalsIgnoreCase("EVALSHA") && words.size() > 2) {
            // The last argument is the request's number, which says nothing to a reader.
            String name = String.format(Locale.ROOT, "%-13s", scripts.of(words.get(1)));
            return console.bold(name) + " " + plain(words.subList(3, words.size() - 1));
        }
        return command.name().toUpperCase(Locale.ROOT) + " " + plain(words.subList(1, words.size()));
    }

    private String plain(List<String> words) {
        String line = String.join(" ", words);
        for (Map.Entry<String, String> entry : shortened.entrySet()) {
            line = line.replace(entry.getKey(), entry.getValue());
        }
        return line;
    }

    private static String fit(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 3) + "...";
    }

    /** Whose connection it is; null if it belongs to somebody else. New connections are looked up once. */
    private @Nullable String label(String address) {
        if (!labelByAddress.containsKey(address)) {
            labelByAddress.put(address, "");
            for (String line : connections.get().split("\n")) {
                labelByClientName.forEach((name, label) -> {
                    if (line.contains("addr=" + address + " ") && line.contains(" name=" + name)) {
                        labelByAddress.put(address, label);
                    }
                });
            }
        }
        String label = labelByAddress.getOrDefault(address, "");
        return label.isEmpty() ? null : label;
    }
}
