package io.holdfast.lock.engine;

/**
 * How one kind of lock puts its steps to the store. The acquisition loop, re-entry, release and hand-over are the same
 * for every kind; a new kind of lock is a new implementation of this and its scripts.
 *
 * <p>Every step may be repeated with the same arguments and then has the same effect.
 */
interface LockKind {

    /** Takes a free lock: granted, refused or failed. */
    void acquire(byte[] field, long leaseMillis, long deadlineNanos, Step step);

    /** Raises the hold count: done, gone or failed. */
    void reenter(byte[] field, int count, long leaseMillis, long deadlineNanos, Step step);

    /** Lowers the hold count, to nothing for 0: done, gone or failed. */
    void release(byte[] field, int count, long deadlineNanos, Step step);

    /** Hands the lock over: granted, gone or failed. */
    void transfer(byte[] from, byte[] to, long leaseMillis, long deadlineNanos, Step step);

    /** Makes the lease last at least so long: done, gone or failed. */
    void extend(byte[] field, long leaseMillis, long deadlineNanos, Step step);

    /** Frees the lock whoever holds it: done, gone or failed. */
    void force(long deadlineNanos, Step step);

    /** Whether a hold may be handed over to a waiter of the same client. */
    boolean transferable();
}
