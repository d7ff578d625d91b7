package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * Where the steps of a client's locks go: to one store, or to several of which a majority decides. What a step says is the
 * matter of the lock's {@link LockKind}; the acquisition loop, re-entry, release and hand-over know neither. It has no
 * state of any lock: one serves all locks of a client.
 *
 * <p>What a store says of a hold's lease reaches the {@link StoreLease} before the step ends.
 */
public interface Place {

    /** Takes the lock if nothing excludes it: granted, refused or failed. */
    Asked acquire(LockCell cell, Asker asker, byte[] field, long deadlineNanos, StepListener step);

    /** Raises the hold count: done, gone or failed. */
    void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, StepListener step);

    /** Lowers the hold count, to nothing for 0: done, gone or failed. */
    void release(Hold hold, int count, long deadlineNanos, StepListener step);

    /** Lowers the hold count to nothing, while more calls of the client, which is so far, wait: done, gone or failed. */
    default void endTurn(Hold hold, int distance, long deadlineNanos, StepListener step) {
        release(hold, 0, deadlineNanos, step);
    }

    /** Hands the lock over to a field of another owner: granted, gone or failed. */
    void transfer(Hold hold, HandOver over, long deadlineNanos, StepListener step);

    /** Makes the lease last at least so long: done, gone or failed. */
    void extend(Hold hold, long leaseMillis, long deadlineNanos, StepListener step);

    /** Signals a condition, as the holder: done, unfinished, gone or failed. A place whose locks have none is never asked to. */
    default void signal(Hold hold, Awaiting condition, byte[] id, boolean all, long deadlineNanos, StepListener step) {
        throw new UnsupportedOperationException("no lock of several nodes has conditions");
    }

    /**
     * Takes places of this client out of the server's queue whose calls have left. A place whose locks have none is never asked to.
     *
     * @param oldest the number of the oldest call that waits
     */
    default void sweep(LockCell cell, long oldest, long deadlineNanos) {
        throw new UnsupportedOperationException("no lock of several nodes has a queue");
    }

    /** Takes back the word of this client, none of whose calls waits for the lock any more. */
    void takeWordBack(LockCell cell, long deadlineNanos);

    /** Frees the lock, whichever owner holds it: done, gone or failed. */
    void force(LockCell cell, LockKind kind, long deadlineNanos, StepListener step);

    /** Whether a hold may be handed over to a waiter of the same client, if its kind can be. */
    boolean handsOver();

    /** In whose words a lock of a kind is spoken of here. */
    default LockKind spoken(LockKind kind) {
        return kind;
    }

    /** As which kind a call that waits takes a place in a queue that the server keeps for others; null if it takes none. */
    default @Nullable LockKind inQueue(LockKind kind) {
        return null;
    }

    /** A call was denied the place that it was to take in such a queue: for a while none is to take one. */
    default void deniedPlace() {}

    /** How calls for one lock give way to others where none of them has it. */
    Contention contention();
}
