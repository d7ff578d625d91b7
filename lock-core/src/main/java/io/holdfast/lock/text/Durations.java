package io.holdfast.lock.text;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as people write them: {@code 10 ms}, {@code 1.5 s}, {@code 30 min}. */
public final class Durations {

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

    private static String decimal(Duration duration, int digits) {
        BigDecimal nanos = BigDecimal.valueOf(duration.getSeconds())
                .scaleByPowerOfTen(SECONDS_DIGITS)
                .add(BigDecimal.valueOf(duration.getNano()));
        return nanos.scaleByPowerOfTen(-digits).stripTrailingZeros().toPlainString();
    }
}
