package io.holdfast.lock.netty.resp;

import java.util.Arrays;

/** The line being read, without its type and its end: the same memory for every line of a connection. */
final class RespLine {

    private static final int FIRST_BYTES = 64;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    void append(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(2L * length, RespLimits.LONGEST_ARRAY));
        }
        bytes[length++] = next;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    boolean is(char only) {
        return length == 1 && bytes[0] == only;
    }

    /** The whole number that this line is; throws {@link NumberFormatException}. */
    long number() {
        return Decimal.parse(bytes, length);
    }

    /** Whether this is a whole number, of any length. */
    boolean isBigNumber() {
        int first = length > 0 && (bytes[0] == '-' || bytes[0] == '+') ? 1 : 0;
        for (int i = first; i < length; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
        }
        return first < length;
    }

    /** Whether this is {@code [sign]digits[.digits][e[sign]digits]}, an infinity or not a number. */
    boolean isFloatingPoint() {
        int at = length > 0 && (bytes[0] == '-' || bytes[0] == '+') ? 1 : 0;
        if (isWord(at, "inf") || isWord(at, "nan")) {
            return true;
        }
        int end = skipDigits(at);
        if (end == at) {
            return false;
        }
        if (end < length && bytes[end] == '.') {
            end = skipDigits(end + 1);
        }
        if (end < length && (bytes[end] == 'e' || bytes[end] == 'E')) {
            int sign = end + 1 < length && (bytes[end + 1] == '-' || bytes[end + 1] == '+') ? 1 : 0;
            int exponent = end + 1 + sign;
            end = skipDigits(exponent);
            return end > exponent && end == length;
        }
        return end == length;
    }

    private boolean isWord(int from, String word) {
        if (length - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (bytes[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int skipDigits(int from) {
        int at = from;
        while (at < length && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }
}
