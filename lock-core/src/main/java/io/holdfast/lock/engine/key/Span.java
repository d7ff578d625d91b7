package io.holdfast.lock.engine.key;

import java.nio.charset.StandardCharsets;

/**
 * Names permits that are taken together: the field of the first, and behind it {@code *} and how many they are. The numbers of
 * their fields follow each other. The span of one permit is its field.
 */
public final class Span {

    static final char TIMES = '*';

    private Span() {}

    /** The span of so many permits, whose first field this is. */
    static byte[] of(byte[] first, int size) {
        return size == 1 ? first : KeyLayout.utf8(text(first) + TIMES + size);
    }

    /** How many permits it names. */
    public static int size(byte[] span) {
        String text = text(span);
        int end = text.indexOf(TIMES);
        return end < 0 ? 1 : Integer.parseInt(text.substring(end + 1));
    }

    /** The field of one of its permits. */
    public static byte[] field(byte[] span, int index) {
        String text = text(span);
        int end = text.indexOf(TIMES);
        int start = text.lastIndexOf(':') + 1;
        long number = Long.parseLong(text.substring(start, end < 0 ? text.length() : end)) + index;
        return KeyLayout.utf8(text.substring(0, start) + number);
    }

    private static String text(byte[] field) {
        return new String(field, StandardCharsets.UTF_8);
    }
}
