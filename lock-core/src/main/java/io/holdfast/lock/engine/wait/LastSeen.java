package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When another owner was last seen to hold the lock (rule 77): when the request was sent whose answer said so. A hold of
 * this client tells it by its validity, a hold of another client by refusing.
 *
 * <p>What was seen is trusted for a while only. A hold that was freed by force elsewhere, with the message lost, seems to
 * live on here; and a server that does not answer any more says nothing about holders.
 *
 * <p>Belongs to the cell's steps.
 */
final class LastSeen {

    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LockCell cell;
    /** What was asked for when it was refused; null if nothing was, or that is over. */
    private @Nullable LockKind refused;

    private long refusedNanos;

    LastSeen(LockCell cell) {
        this.cell = cell;
    }

    /** A request for this kind of lock, sent at this time, was refused. */
    void refused(LockKind kind, long sentNanos) {
        if (refused == null || sentNanos - refusedNanos > 0) {
            refused = kind;
            refusedNanos = sentNanos;
        }
    }

    /** The lock was granted to this client: what refused it before is over. */
    void granted() {
        refused = null;
    }

    /**
     * For how much longer it is trusted that another owner's hold excludes this kind; nothing, or less, if it is not. What
     * excluded a lesser right excludes a greater one; none passes the first in the server's queue.
     *
     * @param owner of the call; null where it may be any
     */
    long trustedNanos(LockKind kind, @Nullable Owner owner, long now) {
        boolean isRefused = refused != null && (refused.queues() || kind.includes(refused));
        long trusted = isRefused ? trustedNanos(refusedNanos, now) : 0;
        Holds holds = cell.holds();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (hold.kind().excludes(kind) && !hold.owner.equals(owner) && hold.isAlive(now)) {
                trusted = Math.max(trusted, trustedNanos(hold.confirmedNanos(now), now));
            }
        }
        return trusted;
    }

    /** Whether what was seen then is trusted still. */
    static boolean isTrusted(long seenNanos, long now) {
        return trustedNanos(seenNanos, now) > 0;
    }

    private static long trustedNanos(long seenNanos, long now) {
        return TRUSTED_NANOS - (now - seenNanos);
    }
}
