package io.holdfast.lock.examples.monitor;

import java.util.ArrayList;
import java.util.List;

/**
 * One command that the server executed, as MONITOR shows it.
 *
 * @param micros when, by the server's clock
 * @param source the client's address, or {@code lua} for a command that a script ran
 * @param words the command and its arguments
 */
record ServerCommand(long micros, String source, List<String> words) {

    /** Reads a line such as {@code 1700000000.123456 [0 127.0.0.1:50000] "GET" "key"}. */
    static ServerCommand parse(String line) {
        int open = line.indexOf('[');
        int close = line.indexOf("] \"", open);
        int dot = line.indexOf('.');
        if (open < 0 || close < 0 || dot < 0 || dot > open) {
            throw new IllegalArgumentException("monitor line: '" + line + "' (expected: TIME [DB SOURCE] \"COMMAND\")");
        }
        long micros = Long.parseLong(line.substring(0, dot)) * 1_000_000
                + Long.parseLong(line.substring(dot + 1, open).trim());
        String source = line.substring(line.indexOf(' ', open) + 1, close);
        return new ServerCommand(micros, source, words(line, close + 2));
    }

    boolean isInScript() {
        return source.equals("lua");
    }

    String name() {
        return words.get(0);
    }

    private static List<String> words(String line, int from) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int at = from; at < line.length(); at++) {
            char character = line.charAt(at);
            if (character == '\\' && quoted && at + 1 < line.length()) {
                at++;
                word.append(unescaped(line.charAt(at)));
            } else if (character == '"') {
                if (quoted) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                quoted = !quoted;
            } else if (quoted) {
                word.append(character);
            }
        }
        return words;
    }

    /** Control characters become blanks: they have no place on a line. */
    private static char unescaped(char character) {
        return switch (character) {
            case 'n', 'r', 't', 'a', 'b' -> ' ';
            default -> character;
        };
    }
}
