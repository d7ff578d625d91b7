package io.holdfast.lock.memory;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers as scripts have them: doubles, and texts that stand for them. */
final class Numbers {

    /** The largest number to which one can be added and nothing else. */
    private static final double LAST_TOKEN = 9007199254740991d;

    private static final Pattern DECIMAL =
            Pattern.compile("[ \\t-\\r]*[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?[ \\t-\\r]*");
    private static final Pattern HEXADECIMAL = Pattern.compile("[ \\t-\\r]*0[xX]\\p{XDigit}{1,15}[ \\t-\\r]*");

    private Numbers() {}

    /** The number; null if the text is none. */
    static @Nullable Double of(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return (double) Long.parseLong(text.trim().substring(2), 16);
        }
        return DECIMAL.matcher(text).matches() ? Double.valueOf(text.trim()) : null;
    }

    /** The number of an argument, or what is compared with one. */
    static double required(@Nullable String text) {
        Double number = of(text);
        if (number == null) {
            throw Refusal.of("user_script: attempt to compare nil with number");
        }
        return number;
    }

    /** The number of a time to live. */
    static long integer(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            throw Refusal.of("value is not an integer or out of range");
        }
    }

    /** The token that a key holds: one that another can follow. */
    static double follows(String token, String key) {
        Double number = of(token);
        if (number == null || number >= LAST_TOKEN) {
            throw Refusal.of("user_script: " + key + " holds no token below 2^53");
        }
        return number;
    }

    /** As it is stored. */
    static String digits(double token) {
        return new BigDecimal(token)
                .setScale(0, java.math.RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
