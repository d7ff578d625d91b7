package io.holdfast.lock.tests.history;

import org.jspecify.annotations.Nullable;

/**
 * What a lock is at one moment of a sequential run.
 *
 * @param holder who holds it; null if nobody does
 * @param count how many times
 * @param token the hold's token; 0 if it is not known
 * @param validUntilNanos before this moment the hold does not end by itself
 * @param lastToken the greatest token so far
 * @param grantedBy the number of the call that began the hold
 */
record LockState(@Nullable String holder, int count, long token, long validUntilNanos, long lastToken, int grantedBy) {

    /** A hold whose owner was told nothing is undone, or runs out, whenever it likes. */
    static final long ANY_TIME = Long.MIN_VALUE;

    static final LockState NEW = new LockState(null, 0, 0, ANY_TIME, 0, -1);

    boolean isHeld() {
        return holder != null;
    }

    boolean isHeldBy(String owner) {
        return owner.equals(holder);
    }

    /** Whether nobody knows of the hold: it was begun by a call without an answer. */
    boolean isOrphan() {
        return isHeld() && validUntilNanos == ANY_TIME;
    }

    /** Whether the hold may have ended by itself at this moment. */
    boolean mayHaveEnded(long nanos) {
        return validUntilNanos <= nanos;
    }

    LockState free() {
        return new LockState(null, 0, 0, ANY_TIME, lastToken, -1);
    }

    LockState heldBy(Operation grant) {
        boolean known = grant.isDecided();
        long until = known ? grant.validUntilNanos() : ANY_TIME;
        long granted = known ? grant.token() : 0;
        return new LockState(grant.owner(), 1, granted, until, Math.max(lastToken, granted), grant.number());
    }

    /** One level more, or fewer. */
    LockState counting(int changed) {
        return changed == 0 ? free() : new LockState(holder, changed, token, validUntilNanos, lastToken, grantedBy);
    }

    /** At least as long as before. */
    LockState lasting(long untilNanos) {
        return new LockState(holder, count, token, Math.max(validUntilNanos, untilNanos), lastToken, grantedBy);
    }

    /** With a token that was not known before. */
    LockState under(long known) {
        return known == 0 || token != 0
                ? this
                : new LockState(holder, count, known, validUntilNanos, Math.max(lastToken, known), grantedBy);
    }

    String text(long originNanos) {
        if (!isHeld()) {
            return "nobody holds it";
        }
        String until = isOrphan()
                ? "nobody knows how long"
                : validUntilNanos == Operation.FOREVER
                        ? "until it is released"
                        : "valid until " + Operation.millis(validUntilNanos - originNanos);
        return holder + " holds it since #" + grantedBy + (token == 0 ? "" : ", token " + token)
                + (count == 1 ? "" : ", " + count + " times") + ", " + until;
    }
}
