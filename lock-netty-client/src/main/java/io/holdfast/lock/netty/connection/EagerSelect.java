package io.holdfast.lock.netty.connection;

import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.IntSupplier;

/**
 * Keeps an event loop looking for work for a moment before it goes to sleep.
 *
 * <p>Where the server is near, an answer comes sooner than a thread falls asleep and wakes up; and a thread that sends
 * something to a loop that is awake need not wake it. At every turn the loop yields to other threads that want the
 * processor. It looks only as long as that pays: a loop whose work comes later than it looks soon sleeps at once, and
 * tries again now and then. So does one that got its processor back late, for then others need it more.
 *
 * <p>Each event loop has its own.
 */
class EagerSelect implements SelectStrategy {

    /** Makes one for each event loop. */
    static final SelectStrategyFactory FACTORY = new SelectStrategyFactory() {
        @Override
        public SelectStrategy newSelectStrategy() {
            return new EagerSelect();
        }
    };

    private static final long LOOK_NANOS = 50_000;
    /** Giving way takes longer than this only if another thread wanted the processor. */
    private static final long CROWDED_NANOS = 500_000;

    private static final int MOST_CREDIT = 32;
    private static final int CREDIT_FOR_A_HIT = 3;
    private static final int SLEEPS_BETWEEN_TRIALS = 32;
    private static final boolean MAY_LOOK = Runtime.getRuntime().availableProcessors() > 1;

    private int credit = MOST_CREDIT;
    private int sleeps;
    private boolean looking;
    private long lookingSinceNanos;

    /** The clock. */
    long nanos() {
        return System.nanoTime();
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (hasTasks) {
            hit();
            return selectNow.get();
        }
        long now = nanos();
        if (!looking) {
            if (!pays()) {
                return SELECT;
            }
            looking = true;
            lookingSinceNanos = now;
        } else if (now - lookingSinceNanos >= LOOK_NANOS) {
            looking = false;
            credit = now - lookingSinceNanos >= CROWDED_NANOS ? 0 : Math.max(0, credit - 1);
            return SELECT;
        }
        int ready = selectNow.get();
        if (ready > 0) {
            hit();
            return ready;
        }
        giveWay();
        return CONTINUE;
    }

    private boolean pays() {
        if (!MAY_LOOK) {
            return false;
        }
        if (credit > 0) {
            return true;
        }
        sleeps = (sleeps + 1) % SLEEPS_BETWEEN_TRIALS;
        return sleeps == 0;
    }

    private void hit() {
        if (looking) {
            looking = false;
            credit = Math.min(MOST_CREDIT, credit + CREDIT_FOR_A_HIT);
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // the yield is a courtesy; nothing depends on what the scheduler makes of it
    private static void giveWay() {
        Thread.yield();
    }
}
