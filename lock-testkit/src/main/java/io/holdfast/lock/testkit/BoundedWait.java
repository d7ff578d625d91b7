package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another process does, and complains when that takes too long. */
final class BoundedWait {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private BoundedWait() {}

    /**
     * Returns when the condition holds.
     *
     * @param complaint what was expected, and what is the case instead
     * @throws IllegalStateException when it does not hold within the limit
     */
    static void until(BooleanSupplier condition, Duration limit, Supplier<String> complaint) {
        found(() -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty(), limit, complaint);
    }

    /** Whether the condition holds before the time is over; for what is tried again then. */
    static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > limit.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /** The same as {@link #until}, for something that is looked for until it is there. */
    static <T> T found(Supplier<Optional<T>> look, Duration limit, Supplier<String> complaint) {
        long startNanos = System.nanoTime();
        for (Optional<T> found = look.get(); ; found = look.get()) {
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() - startNanos > limit.toNanos()) {
                throw new IllegalStateException("not within " + limit.toMillis() + " ms: " + complaint.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting: " + complaint.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
