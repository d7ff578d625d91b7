package io.holdfast.lock.engine.multi;

import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.TimeUnit;

/**
 * How long a MultiLock waits behind others with something in hand, where they may take the members in another order: it has
 * {@code a} and waits for {@code b}, and they have {@code b} and wait for {@code a}. By chance it waits longer or shorter than
 * they do, so that one of them gives way and the other goes on.
 */
public final class GivingWay {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** From here on it is the longest. */
    private static final int MOST_DOUBLINGS = 6;

    private final Runtime runtime;
    private int doublings;

    public GivingWay(Runtime runtime) {
        this.runtime = runtime;
    }

    /** 100 to 300 ms, twice as long after each time that it gave way, up to 5 s. */
    public long patienceNanos() {
        long nanos = SHORTEST_NANOS + runtime.random(SPREAD_NANOS);
        return Math.min(nanos << doublings, LONGEST_NANOS);
    }

    public void gaveWay() {
        doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
    }
}
