package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;

/**
 * That the lock is free, and reserved for another client, as the latest message says that named one (rule 114). Belongs to the cell's
 * steps.
 */
final class Reservation {

    private final LockCell cell;
    private final long untilNanos;
    /** Whether the message came while a request of the head was in flight, which may have been executed before. */
    private boolean cameMeanwhile;

    Reservation(LockCell cell, boolean cameMeanwhile) {
        this.cell = cell;
        this.untilNanos = cell.nanos() + ReservedTurns.GRACE_IS_OVER_NANOS;
        this.cameMeanwhile = cameMeanwhile;
    }

    /** Whether that client has not had its time yet. */
    boolean lasts() {
        return untilNanos - cell.nanos() > 0;
    }

    /** In how long the head looks, which has been refused; negative if this gives it no reason to. */
    long lookNanos() {
        long left = Math.max(0, untilNanos - cell.nanos());
        boolean looks = left > 0 || cameMeanwhile;
        cameMeanwhile = false;
        return looks ? left : -1;
    }
}
