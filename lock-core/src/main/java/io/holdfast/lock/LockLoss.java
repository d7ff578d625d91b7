package io.holdfast.lock;

import io.holdfast.lock.text.Printable;

/**
 * The report of a lost hold.
 *
 * @param lockName the lock's name
 * @param owner who held it
 * @param fencingToken the token of the lost hold; resources that check tokens refuse it once a newer one was seen
 * @param node the server concerned
 * @param reason why it was lost
 * @param detail the reason in words
 */
public record LockLoss(
        String lockName, String owner, long fencingToken, String node, FailureReason reason, String detail) {

    /** On one line, whatever the lock is called. */
    @Override
    public String toString() {
        return Printable.message("LockLoss[lockName=" + Printable.of(lockName) + ", owner=" + owner
                + ", fencingToken=" + fencingToken + ", node=" + node + ", reason=" + reason + ", detail=" + detail
                + ']');
    }
}
