package io.holdfast.lock.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One line of MONITOR, taken apart.
 *
 * @param secondsSinceEpoch when the server executed it, by its own clock
 * @param source the client's address, or {@code lua} for a command called by a script
 * @param words the command and its arguments; bytes that can't be printed stay escaped, such as {@code \x00}
 */
public record MonitoredCommand(double secondsSinceEpoch, String source, List<String> words) {
    private static final String SCRIPT = "lua";

    /** Copies the words. */
    public MonitoredCommand {
        words = List.copyOf(words);
    }

    /** The command's name in upper case. */
    public String name() {
        return words.get(0).toUpperCase(Locale.ROOT);
    }

    /** Whether a script called it. */
    public boolean fromScript() {
        return source.equals(SCRIPT);
    }

    /** Reads a line such as {@code +1700000000.123456 [0 127.0.0.1:50000] "GET" "a"}. */
    static MonitoredCommand parse(String line) {
        int open = line.indexOf('[');
        int close = line.indexOf("] \"", open);
        if (open < 0 || close < 0) {
            throw new IllegalArgumentException("not a line of MONITOR: " + line);
        }
        String time = line.substring(line.startsWith("+") ? 1 : 0, open).strip();
        String source = line.substring(line.indexOf(' ', open) + 1, close);
        return new MonitoredCommand(Double.parseDouble(time), source, words(line, close + 2));
    }

    private static List<String> words(String line, int from) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inside = false;
        for (int i = from; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '"') {
                if (inside) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inside = !inside;
            } else if (next == '\\' && i + 1 < line.length() && "\"\\".indexOf(line.charAt(i + 1)) >= 0) {
                word.append(line.charAt(++i));
            } else if (inside) {
                word.append(next);
            }
        }
        return words;
    }
}
