package io.holdfast.lock.spi;

import java.time.Instant;
import java.util.concurrent.Executor;

/** Time, timers, randomness and threads, so that the engine has none of its own and can run in a simulator. */
public interface Runtime {

    /** The monotonic clock; only differences mean anything. */
    long nanos();

    /** Runs a step after a delay, on a thread that must not be blocked. */
    Timer after(long delayNanos, Runnable step);

    /** A random number from 0 (inclusive) to the bound (exclusive). */
    long random(long bound);

    /** The executor on which a long run of the engine's own steps goes on. Must not wait for any code of users. */
    Executor steps();

    /**
     * Threads for code of users, unless the user has chosen an executor. A task never runs on the thread that brings it,
     * and one that waits keeps back no other for long, whatever it waits for.
     */
    Executor callbacks();

    /** As {@link #callbacks}, for what tells of losses: threads that no other code of users can keep busy. */
    default Executor losses() {
        return callbacks();
    }

    /**
     * As {@link #callbacks}, for what tells how elections stand: threads that neither losses nor other code of users keep
     * busy, and that keep none of these busy.
     */
    default Executor elections() {
        return callbacks();
    }

    /**
     * How long events for listeners are gathered before a thread of {@link #callbacks} is woken for all of them; 0, the default,
     * for none at all. Real threads take longer to wake than a lock to be granted; a millisecond is none for those who count.
     */
    default long gatheringNanos() {
        return 0;
    }

    /** How callers wait. */
    Blocker blocker();

    /**
     * The time of day, to be shown to people: nothing is decided by it, and it may jump. A runtime that knows none counts from
     * 1970 on.
     */
    default Instant timeOfDay() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    /** The machine that all this runs on. It may block: not for a thread that serves connections. */
    default Machine machine() {
        return Machine.here();
    }
}
