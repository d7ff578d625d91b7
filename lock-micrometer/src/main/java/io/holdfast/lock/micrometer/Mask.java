package io.holdfast.lock.micrometer;

import io.holdfast.lock.text.Printable;

/**
 * A name with {@code *} for numbers. Goes through the name once, whatever is in it: names come from users, and from those that they
 * serve.
 *
 * <p>A <em>run</em> is letters and digits in a row. A run that is a number in base 16, with a digit of base 10 somewhere in it or a
 * {@code 0x} before it, becomes one {@code *}; in any other run, each group of digits does. So {@code 3fa9} is masked, and
 * {@code facade} is not. Of a UUID all five runs become one {@code *}.
 */
final class Mask {

    private static final char STAR = '*';
    private static final int[] UUID_GROUPS = {8, 4, 4, 4, 12};
    private static final int UUID_LENGTH = 36;

    private Mask() {}

    static String of(String name) {
        StringBuilder masked = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); ) {
            if (!Character.isLetterOrDigit(name.charAt(i))) {
                masked.append(name.charAt(i));
                i++;
            } else if (isUuid(name, i)) {
                masked.append(STAR);
                i += UUID_LENGTH;
            } else {
                int end = endOfRun(name, i);
                maskRun(name, i, end, masked);
                i = end;
            }
        }
        return Printable.of(masked);
    }

    private static int endOfRun(String name, int begin) {
        int end = begin;
        while (end < name.length() && Character.isLetterOrDigit(name.charAt(end))) {
            end++;
        }
        return end;
    }

    private static void maskRun(String name, int begin, int end, StringBuilder masked) {
        if (isHex(name, begin, end)) {
            masked.append(STAR);
            return;
        }
        for (int i = begin; i < end; i++) {
            boolean digit = Character.isDigit(name.charAt(i));
            if (!digit) {
                masked.append(name.charAt(i));
            } else if (i == begin || !Character.isDigit(name.charAt(i - 1))) {
                masked.append(STAR);
            }
        }
    }

    /** Whether the run is a number in base 16 that no word can be taken for. */
    private static boolean isHex(String name, int begin, int end) {
        boolean marked = end - begin > 2
                && name.charAt(begin) == '0'
                && (name.charAt(begin + 1) == 'x' || name.charAt(begin + 1) == 'X');
        boolean decimal = marked;
        for (int i = marked ? begin + 2 : begin; i < end; i++) {
            if (!isHexDigit(name.charAt(i))) {
                return false;
            }
            decimal |= isDecimal(name.charAt(i));
        }
        return decimal;
    }

    /** Whether a UUID begins here, and a run ends with it. */
    private static boolean isUuid(String name, int begin) {
        int end = begin + UUID_LENGTH;
        if (end > name.length() || (end < name.length() && Character.isLetterOrDigit(name.charAt(end)))) {
            return false;
        }
        int at = begin;
        for (int group : UUID_GROUPS) {
            if (at > begin && name.charAt(at++) != '-') {
                return false;
            }
            for (int last = at + group; at < last; at++) {
                if (!isHexDigit(name.charAt(at))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isHexDigit(char character) {
        return isDecimal(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F');
    }

    private static boolean isDecimal(char character) {
        return character >= '0' && character <= '9';
    }
}
