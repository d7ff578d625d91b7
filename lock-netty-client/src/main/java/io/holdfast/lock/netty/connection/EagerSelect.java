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

    private final LookingCredit credit = new LookingCredit();
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
            if (!credit.pays()) {
                return SELECT;
            }
            looking = true;
            lookingSinceNanos = now;
        } else if (now - lookingSinceNanos >= LOOK_NANOS) {
            looking = false;
            if (now - lookingSinceNanos >= CROWDED_NANOS) {
                credit.crowded();
            } else {
                credit.foundNothing();
            }
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

    private void hit() {
        if (looking) {
            looking = false;
            credit.found();
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // the yield is a courtesy; nothing depends on what the scheduler makes of it
    private static void giveWay() {
        Thread.yield();
    }
}
