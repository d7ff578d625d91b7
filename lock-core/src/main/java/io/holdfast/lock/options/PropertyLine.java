package io.holdfast.lock.options;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A name and its value in the text of a {@code .properties} file. {@link Properties} reads them, a line at a time: it has the
 * syntax, and tells neither where a line is nor that a name was there before.
 *
 * <p>A line that ends in a backslash goes on in the next one for {@link Properties}. Here it is refused: it is more often
 * the end of a Windows path, and would make the next option, perhaps a password, a part of a value that complaints quote.
 *
 * <p>No record, since the value may be a secret, and records show theirs.
 */
final class PropertyLine {

    private final int number;
    private final String name;
    private final String value;

    private PropertyLine(int number, String name, String value) {
        this.number = number;
        this.name = name;
        this.value = value;
    }

    /** All of a text. */
    static List<PropertyLine> in(String text) throws MalformedException {
        List<PropertyLine> found = new ArrayList<>();
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (isComment(lines[i])) {
                continue;
            }
            int number = i + 1;
            check(number, lines[i]);
            read(number, lines[i])
                    .forEach((name, value) ->
                            found.add(new PropertyLine(number, String.valueOf(name), String.valueOf(value))));
        }
        return found;
    }

    /** The line's number, from 1 on. */
    int number() {
        return number;
    }

    String name() {
        return name;
    }

    String value() {
        return value;
    }

    private static boolean isComment(String line) {
        int start = 0;
        while (start < line.length() && " \t\f".indexOf(line.charAt(start)) >= 0) {
            start++;
        }
        return start < line.length() && "#!".indexOf(line.charAt(start)) >= 0;
    }

    private static void check(int number, String line) throws MalformedException {
        if (goesOn(line)) {
            throw new MalformedException(
                    number,
                    "it ends in a backslash, which would join the next line to it"
                            + " (expected: one line for each option, and \\\\ for a backslash)");
        }
        if (ControlCharacters.isIn(line.replace('\t', ' '))) {
            throw new MalformedException(
                    number,
                    "it holds a control character or a line separator (expected: visible characters and blanks)");
        }
    }

    /** Whether the line ends in a backslash that no other one makes a character. */
    private static boolean goesOn(String line) {
        int start = line.length();
        while (start > 0 && line.charAt(start - 1) == '\\') {
            start--;
        }
        return (line.length() - start) % 2 == 1;
    }

    private static Properties read(int number, String line) throws MalformedException {
        Properties one = new Properties();
        try {
            one.load(new StringReader(line));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedException(number, "a \\u is not followed by four hexadecimal digits");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return one;
    }

    /** A line that may not be what it looks like. Its text is not a part of the fault. */
    static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int number;
        private final String fault;

        MalformedException(int number, String fault) {
            super("line " + number + ": " + fault);
            this.number = number;
            this.fault = fault;
        }

        int number() {
            return number;
        }

        String fault() {
            return fault;
        }
    }
}
