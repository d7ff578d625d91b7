package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How long a hold lasts on the server.
 *
 * @param millis the lease
 * @param watched whether the watchdog renews it
 */
public record LeaseTerm(long millis, boolean watched) {

    /** What the methods with a time unit take for "the watchdog". */
    public static final long WATCHDOG = -1;

    /** Short enough for arithmetic in nanoseconds. */
    public static final long LONGEST_MILLIS = Duration.ofDays(3650).toMillis();

    private static final int MARGIN_PART = 100;

    /** The lease of calls that name none. */
    public static LeaseTerm unnamed(LockOptions options) {
        Optional<Duration> fixed = options.lease();
        return fixed.isPresent()
                ? new LeaseTerm(fixed.get().toMillis(), false)
                : new LeaseTerm(options.watchdogLease().toMillis(), true);
    }

    public static LeaseTerm of(long leaseTime, TimeUnit unit, LockOptions options) {
        Objects.requireNonNull(unit, "unit");
        if (leaseTime == WATCHDOG) {
            long millis = options.watchdogLease().toMillis();
            return new LeaseTerm(
                    options.maxHold()
                            .map(longest -> Math.min(millis, longest.toMillis()))
                            .orElse(millis),
                    true);
        }
        long millis = unit.toMillis(leaseTime);
        if (isTooShort(millis)) {
            throw tooShort(shown(leaseTime, unit), ", or -1 for the watchdog");
        }
        if (isTooLong(millis, options)) {
            throw tooLong(shown(leaseTime, unit), options);
        }
        return fixed(millis);
    }

    /** The lease of a call that names it, for a lock with these options. */
    public static LeaseTerm of(Duration lease, LockOptions options) {
        LeaseTerm checked = of(lease);
        if (isTooLong(checked.millis, options)) {
            throw tooLong(Durations.of(lease), options);
        }
        return checked;
    }

    public static LeaseTerm of(Duration lease) {
        Objects.requireNonNull(lease, "lease");
        long millis = millis(lease);
        if (isTooShort(millis)) {
            throw tooShort(Durations.of(lease), "");
        }
        return fixed(millis);
    }

    /**
     * The lease after which so much validity is left when the answer is there.
     *
     * @param answerNanos how long that may take
     */
    public static LeaseTerm covering(Duration validity, long answerNanos) {
        Duration longest = Duration.ofNanos(validUntil(0, LONGEST_MILLIS) - answerNanos);
        if (validity.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "validity: " + Durations.of(validity) + " (expected: at most " + Durations.of(longest) + ")");
        }
        // The margin is a part of the lease, so it grows with what is added for it.
        long relied = validity.toNanos() + answerNanos + marginNanos(0);
        long millis = TimeUnit.NANOSECONDS.toMillis(relied + relied / (MARGIN_PART - 1)) + 1;
        return fixed(Math.max(millis, LockOptions.MIN_LEASE.toMillis()));
    }

    /** The lease of an extension, which is never cut: it has to last as long as it says. */
    public static LeaseTerm ofExtension(Duration lease) {
        LeaseTerm checked = of(lease);
        if (millis(lease) > LONGEST_MILLIS) {
            throw new IllegalArgumentException("lease: " + Durations.of(lease) + " (expected: at most "
                    + Durations.of(Duration.ofMillis(LONGEST_MILLIS)) + ")");
        }
        return checked;
    }

    /** Whether a call that names this length wants this lease. */
    public boolean isNamed(long leaseTime, TimeUnit unit) {
        return !watched && Objects.requireNonNull(unit, "unit").toMillis(leaseTime) == millis;
    }

    /** The part of a lease on which a client may not rely: clocks drift, and timers are coarse. */
    public static long marginNanos(long leaseMillis) {
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / MARGIN_PART + TimeUnit.MILLISECONDS.toNanos(2);
    }

    /** When a hold stops being valid whose request was sent at this time. */
    public static long validUntil(long sentNanos, long leaseMillis) {
        return sentNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis) - marginNanos(leaseMillis);
    }

    private static LeaseTerm fixed(long millis) {
        return new LeaseTerm(Math.min(millis, LONGEST_MILLIS), false);
    }

    private static boolean isTooShort(long millis) {
        return millis < LockOptions.MIN_LEASE.toMillis();
    }

    private static IllegalArgumentException tooShort(String given, String orElse) {
        return new IllegalArgumentException(
                "lease: " + given + " (expected: at least " + LockOptions.MIN_LEASE.toMillis() + " ms" + orElse + ")");
    }

    private static boolean isTooLong(long millis, LockOptions options) {
        return options.maxHold().isPresent()
                && Math.min(millis, LONGEST_MILLIS) > options.maxHold().get().toMillis();
    }

    private static IllegalArgumentException tooLong(String given, LockOptions options) {
        return new IllegalArgumentException("lease: " + given + " (expected: at most maxHold, "
                + Durations.of(options.maxHold().orElseThrow()) + ")");
    }

    private static String shown(long leaseTime, TimeUnit unit) {
        try {
            return Durations.of(Duration.of(leaseTime, unit.toChronoUnit()));
        } catch (ArithmeticException tooLong) {
            return leaseTime + " " + unit;
        }
    }

    private static long millis(Duration duration) {
        try {
            return duration.toMillis();
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
