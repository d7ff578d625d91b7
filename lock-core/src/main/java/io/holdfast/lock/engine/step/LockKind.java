package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;

/**
 * How one kind of lock puts its steps to its stores. The acquisition loop, re-entry, release and hand-over are the same
 * for every kind; a new kind of lock is a new implementation of this and its scripts. It has no state of any lock: one
 * serves all locks of a client.
 *
 * <p>Every step may be repeated with the same arguments and then has the same effect. What a store says of a hold's
 * lease reaches the {@link StoreLease} before the step ends.
 */
public interface LockKind {

    /** Takes a free lock: granted, refused or failed. */
    Asked acquire(LockCell cell, byte[] field, long leaseMillis, long deadlineNanos, Step step);

    /** Raises the hold count: done, gone or failed. */
    void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step);

    /** Lowers the hold count, to nothing for 0: done, gone or failed. */
    void release(Hold hold, int count, long deadlineNanos, Step step);

    /** Hands the lock over to a field of another owner: granted, gone or failed. */
    void transfer(Hold hold, byte[] to, long leaseMillis, long deadlineNanos, Step step);

    /** Makes the lease last at least so long: done, gone or failed. */
    void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step);

    /** Frees the lock whoever holds it: done, gone or failed. */
    void force(LockCell cell, long deadlineNanos, Step step);

    /** Whether a hold may be handed over to a waiter of the same client. */
    boolean transferable();

    /** How calls for one lock give way to others where none of them has it. */
    Contention contention();
}
