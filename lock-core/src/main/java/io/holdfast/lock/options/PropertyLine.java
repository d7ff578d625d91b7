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

    /** All of a text. A backslash at the end of a line makes the next one a part of it; its number is that of the first. */
    static List<PropertyLine> in(String text) throws MalformedException {
        List<PropertyLine> found = new ArrayList<>();
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (isComment(lines[i])) {
                continue;
            }
            int first = i;
            StringBuilder whole = new StringBuilder(lines[i]);
            while (goesOn(lines[i]) && i + 1 < lines.length) {
                i++;
                whole.append('\n').append(lines[i]);
            }
            read(first + 1, whole.toString())
                    .forEach((name, value) ->
                            found.add(new PropertyLine(first + 1, String.valueOf(name), String.valueOf(value))));
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
            throw new MalformedException(number);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return one;
    }

    /** A line holds an escape that is none. */
    static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int number;

        MalformedException(int number) {
            super("line " + number + " is malformed");
            this.number = number;
        }

        int number() {
            return number;
        }
    }
}
