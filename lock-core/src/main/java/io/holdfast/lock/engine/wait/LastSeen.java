package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import java.util.concurrent.TimeUnit;

/**
 * When another owner was last seen to hold the lock (rule 77): when the request was sent whose answer said so. A hold of
 * this client tells it by its validity, a hold of another client by refusing.
 *
 * <p>What was seen is trusted for a while only. A hold that was freed by force elsewhere, with the message lost, seems to
 * live on here; and a server that does not answer any more says nothing about anybody.
 *
 * <p>Belongs to the cell's steps.
 */
final class LastSeen {

    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LockCell cell;
    private boolean refused;
    private long refusedNanos;

    LastSeen(LockCell cell) {
        this.cell = cell;
    }

    /** A request that was sent at this time was refused. */
    void refused(long sentNanos) {
        if (!refused || sentNanos - refusedNanos > 0) {
            refused = true;
            refusedNanos = sentNanos;
        }
    }

    /** The lock was granted to this client: what refused it before is over. */
    void granted() {
        refused = false;
    }

    /** For how much longer it is trusted that another owner holds the lock; nothing, or less, if it is not. */
    long trustedNanos(long now) {
        long trusted = refused ? trustedNanos(refusedNanos, now) : 0;
        Holds holds = cell.holds();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (hold.isAlive(now)) {
                trusted = Math.max(trusted, trustedNanos(hold.confirmedNanos(now), now));
            }
        }
        return trusted;
    }

    private static long trustedNanos(long seenNanos, long now) {
        return TRUSTED_NANOS - (now - seenNanos);
    }
}
