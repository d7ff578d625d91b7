package io.holdfast.lock.engine.hold;

import org.jspecify.annotations.Nullable;

/**
 * What an owner has after it has awaited a condition: another hold, under a new field and token, with the levels of the one that it
 * gave up. Belongs to the cell's steps.
 */
public final class Regained {

    private Regained() {}

    /** Whether a MultiLock took any level of a hold: it would be without that. */
    public static boolean wouldMissSome(Hold given) {
        return given.levels().anyTaken();
    }

    /**
     * Makes the hold of a grant to the call that awaited.
     *
     * @param cell the lock's present one; that of the hold that was given up may be retired by now
     * @param thread the thread of a blocking call; null for any other
     */
    public static Hold of(
            LockCell cell,
            Hold given,
            Terms terms,
            byte[] field,
            long token,
            HoldLeases leases,
            long leaseMillis,
            @Nullable Thread thread,
            long now) {
        Levels all = given.levels();
        Hold hold = new Hold(
                cell, terms, given.owner, field, token, leases, leaseMillis, all.isWatched(0), thread, null, now);
        for (int level = 1; level < all.size(); level++) {
            hold.pushLevel(all.isWatched(level), null);
        }
        return hold;
    }
}
