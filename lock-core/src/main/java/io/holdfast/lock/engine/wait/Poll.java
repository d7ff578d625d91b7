package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.TimeUnit;

/**
 * How long a waiter, or the head of a queue, waits for a message before it asks by itself (rule 79): seconds while messages arrive, for
 * then it is but the net below them; a fraction of a second, growing to a whole one, while none do.
 *
 * <p>Belongs to the steps of a gate.
 */
public final class Poll {

    private static final long LISTENING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long DEAF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** None is shorter than that, with its jitter. */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(225);

    private static final int MAX_DOUBLINGS = 2;
    /** Clients that began to wait at the same time ask at different ones. */
    private static final int JITTER_PART = 10;

    private final Runtime runtime;
    /** Polls in a row that were not to be cut short by a message. */
    private int deaf;

    public Poll(Runtime runtime) {
        this.runtime = runtime;
    }

    /** Whether a poll was planned since no messages arrived. */
    boolean isDeaf() {
        return deaf > 0;
    }

    /** The next poll while messages arrive. */
    public long listeningNanos() {
        deaf = 0;
        return spread(LISTENING_NANOS);
    }

    /** The next poll while no messages arrive. */
    public long deafNanos() {
        return spread(DEAF_NANOS << Math.min(deaf++, MAX_DOUBLINGS));
    }

    /** The same for this lock; the log is told when that has lasted for longer than it takes to subscribe. */
    long deafNanos(LockKeys lock, SilenceLog log) {
        if (deaf > MAX_DOUBLINGS) {
            log.silent(lock);
        }
        return deafNanos();
    }

    private long spread(long longestNanos) {
        return longestNanos - runtime.random(longestNanos / JITTER_PART);
    }
}
