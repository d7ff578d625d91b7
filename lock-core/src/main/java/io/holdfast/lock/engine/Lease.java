package io.holdfast.lock.engine;

import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How long a hold lasts on the server.
 *
 * @param millis the lease
 * @param watched whether the watchdog renews it
 */
record Lease(long millis, boolean watched) {

    /** What the methods with a time unit take for "the watchdog". */
    static final long WATCHDOG = -1;

    private static final long LONGEST_MILLIS = Duration.ofDays(3650).toMillis();

    /** The lease of calls that name none. */
    static Lease unnamed(LockOptions options) {
        return options.lease()
                .map(fixed -> new Lease(fixed.toMillis(), false))
                .orElseGet(() -> new Lease(options.watchdogLease().toMillis(), true));
    }

    static Lease of(long leaseTime, TimeUnit unit, LockOptions options) {
        Objects.requireNonNull(unit, "unit");
        if (leaseTime == WATCHDOG) {
            long millis = options.watchdogLease().toMillis();
            return new Lease(
                    options.maxHold()
                            .map(longest -> Math.min(millis, longest.toMillis()))
                            .orElse(millis),
                    true);
        }
        return fixed(unit.toMillis(leaseTime), leaseTime + " " + unit, ", or -1 for the watchdog")
                .within(options, leaseTime + " " + unit);
    }

    /** The lease of a call that names it, for a lock with these options. */
    static Lease of(Duration lease, LockOptions options) {
        return of(lease).within(options, String.valueOf(lease));
    }

    private Lease within(LockOptions options, String given) {
        options.maxHold().ifPresent(longest -> {
            if (millis > longest.toMillis()) {
                throw new IllegalArgumentException("lease: " + given + " (expected: at most maxHold, " + longest + ")");
            }
        });
        return this;
    }

    static Lease of(Duration lease) {
        Objects.requireNonNull(lease, "lease");
        return fixed(millis(lease), lease.toString(), "");
    }

    /** The part of a lease on which a client may not rely: clocks drift, and timers are coarse. */
    static long marginNanos(long leaseMillis) {
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 100 + TimeUnit.MILLISECONDS.toNanos(2);
    }

    /** When a hold stops being valid whose request was sent at this time. */
    static long validUntil(long sentNanos, long leaseMillis) {
        return sentNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis) - marginNanos(leaseMillis);
    }

    private static Lease fixed(long millis, String given, String orElse) {
        if (millis < LockOptions.MIN_LEASE.toMillis()) {
            throw new IllegalArgumentException("lease: " + given + " (expected: at least "
                    + LockOptions.MIN_LEASE.toMillis() + " ms" + orElse + ")");
        }
        return new Lease(Math.min(millis, LONGEST_MILLIS), false);
    }

    private static long millis(Duration duration) {
        try {
            return duration.toMillis();
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
