package io.holdfast.lock.engine.lock;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.wait.HeadAsks;
import io.holdfast.lock.spi.Blocker;
import java.util.concurrent.TimeUnit;

/**
 * The thread that has handed a hot lock on is about to want it again. Where the lock is hardly held, the thread that has it gives it back
 * before the other one is there: it would be freed, and asked for again at once. So a thread that gives such a lock back first lets
 * others run for a moment, until a call waits for it.
 */
final class NextCaller {

    /** So often it gives way at most: ten microseconds, where no other thread wants the processor. */
    private static final int MOST_LOOKS = 20;

    /** It stops after so long: threads that have nothing to do with the lock have the processor, and its work is done. */
    private static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private NextCaller() {}

    /** A thread is about to give back a hold. */
    static void lookFor(Hold hold) {
        LockCell cell = hold.cell;
        HeadAsks wanting = HeadAsks.of(cell);
        if (wanting == null || hold.count() > 1 || cell.waiters() > 0) {
            return;
        }
        long since = cell.nanos();
        if (wanting.wasHandedOver(since)) {
            Blocker blocker = cell.facts.runtime().blocker();
            for (int look = 0; look < MOST_LOOKS; look++) {
                blocker.giveWay();
                if (cell.waiters() > 0) {
                    return;
                }
                long now = cell.nanos();
                if (now - since > LONGEST_NANOS) {
                    wanting.hasNoNextCaller(now);
                    return;
                }
            }
        }
    }
}
