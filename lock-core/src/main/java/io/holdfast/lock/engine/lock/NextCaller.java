package io.holdfast.lock.engine.lock;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.wait.HeadAsks;
import io.holdfast.lock.spi.Blocker;

/**
 * The thread that has handed a hot lock on is about to want it again. Where the lock is hardly held, the thread that has it gives it back
 * before the other one is there: it would be freed, and asked for again at once. So a thread that gives such a lock back first lets
 * others run for a moment, until a call waits for it.
 */
final class NextCaller {

    /** So often it gives way at most: ten microseconds, where no other thread wants the processor. */
    private static final int MOST_LOOKS = 20;

    private NextCaller() {}

    /** A thread is about to give back a hold. */
    static void lookFor(Hold hold) {
        HeadAsks wanting = HeadAsks.of(hold.cell);
        if (wanting == null || !wanting.wasHandedOver() || hold.count() > 1) {
            return;
        }
        Blocker blocker = hold.cell.facts.runtime().blocker();
        for (int look = 0; look < MOST_LOOKS && hold.cell.waiters() == 0; look++) {
            blocker.giveWay();
        }
    }
}
