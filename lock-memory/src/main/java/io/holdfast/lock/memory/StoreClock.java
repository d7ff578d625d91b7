package io.holdfast.lock.memory;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** The time of a store and of its clients: real time, and what was added to it. */
final class StoreClock {

    private final long startNanos = System.nanoTime();
    private final long startMicros;

    /** What was added. One thread at a time changes it. */
    private volatile long addedNanos;

    StoreClock() {
        Instant start = Clock.systemUTC().instant();
        startMicros =
                TimeUnit.SECONDS.toMicros(start.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(start.getNano());
    }

    /** The monotonic clock. */
    long nanos() {
        return System.nanoTime() + addedNanos;
    }

    /** The time of day, as a server tells it. It never goes back. */
    long timeMicros() {
        return startMicros + TimeUnit.NANOSECONDS.toMicros(nanos() - startNanos);
    }

    Instant timeOfDay() {
        return Instant.EPOCH.plus(timeMicros(), ChronoUnit.MICROS);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    void add(long nanos) {
        addedNanos += nanos;
    }
}
