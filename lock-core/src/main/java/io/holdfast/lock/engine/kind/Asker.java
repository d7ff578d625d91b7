package io.holdfast.lock.engine.kind;

import org.jspecify.annotations.Nullable;

/** What a request for a lock says of the call that asks. It stays the same until the request is answered. */
public interface Asker {

    LockKind kind();

    long leaseMillis();

    /** Whether the call waits for its turn; else it asks once. */
    boolean waits();

    /** The field under which the owner holds the lock as a kind that is not the call's; null for none. */
    byte @Nullable [] heldBeside();

    /** How many levels the hold is to have. */
    default int levels() {
        return 1;
    }

    /** Whether the call leaves the condition that it awaits, to have the lock again. */
    default boolean leavesCondition() {
        return false;
    }
}
