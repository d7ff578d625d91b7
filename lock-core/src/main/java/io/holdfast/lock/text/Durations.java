package io.holdfast.lock.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10 ms}, {@code 1.5 s}, {@code 30 min}. */
public final class Durations {

    /** What {@link #parse} reads. */
    public static final String EXPECTED = "a number and a unit, as in 500 ms, 1.5 s, 30 min, 2 h or 1 d; or PT10S";

    private static final Pattern WRITTEN = Pattern.compile("(-?[0-9]{1,19}(?:\\.[0-9]{1,9})?) *(ms|s|min|h|d)");
    private static final BigInteger NANOS_OF_SECOND = BigInteger.valueOf(1_000_000_000);

    private static final long SECONDS_OF_MINUTE = 60;
    private static final long SECONDS_OF_HOUR = 3_600;
    private static final long SECONDS_OF_DAY = 86_400;

    private static final int MILLIS_DIGITS = 6;
    private static final int SECONDS_DIGITS = 9;

    private Durations() {}

    /** Exactly, in the greatest unit of which it is a multiple; below a second in milliseconds. */
    public static String of(Duration duration) {
        long seconds = duration.getSeconds();
        if (duration.getNano() != 0) {
            boolean below = seconds == 0 || (seconds == -1 && duration.isNegative());
            return below ? decimal(duration, MILLIS_DIGITS) + " ms" : decimal(duration, SECONDS_DIGITS) + " s";
        }
        if (seconds == 0 || seconds % SECONDS_OF_MINUTE != 0) {
            return seconds + " s";
        }
        if (seconds % SECONDS_OF_DAY == 0) {
            return seconds / SECONDS_OF_DAY + " d";
        }
        return seconds % SECONDS_OF_HOUR == 0 ? seconds / SECONDS_OF_HOUR + " h" : seconds / SECONDS_OF_MINUTE + " min";
    }

    /**
     * What {@link #of} writes, or what ISO 8601 does. There has to be a unit: a number by itself is ten of something.
     *
     * @throws IllegalArgumentException if it is neither, or finer than a nanosecond, or longer than a duration can be
     */
    public static Duration parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        try {
            return written.matches()
                    ? exactly(new BigDecimal(written.group(1)).multiply(nanosOf(written.group(2))))
                    : Duration.parse(text);
        } catch (DateTimeParseException | ArithmeticException unreadable) {
            throw new IllegalArgumentException(
                    "duration: '" + Printable.of(text) + "' (expected: " + EXPECTED + ")", unreadable);
        }
    }

    private static Duration exactly(BigDecimal nanos) {
        BigInteger[] parts = nanos.toBigIntegerExact().divideAndRemainder(NANOS_OF_SECOND);
        return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
    }

    private static BigDecimal nanosOf(String unit) {
        long seconds =
                switch (unit) {
                    case "min" -> SECONDS_OF_MINUTE;
                    case "h" -> SECONDS_OF_HOUR;
                    case "d" -> SECONDS_OF_DAY;
                    default -> 1;
                };
        return BigDecimal.valueOf(seconds).scaleByPowerOfTen(unit.equals("ms") ? MILLIS_DIGITS : SECONDS_DIGITS);
    }

    private static String decimal(Duration duration, int digits) {
        BigDecimal nanos = BigDecimal.valueOf(duration.getSeconds())
                .scaleByPowerOfTen(SECONDS_DIGITS)
                .add(BigDecimal.valueOf(duration.getNano()));
        return nanos.scaleByPowerOfTen(-digits).stripTrailingZeros().toPlainString();
    }
}
