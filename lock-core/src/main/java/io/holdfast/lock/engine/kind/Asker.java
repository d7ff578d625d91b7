package io.holdfast.lock.engine.kind;

import org.jspecify.annotations.Nullable;

/** What a request for a lock says of the call that asks. It stays the same until the request is answered. */
public interface Asker {

    LockKind kind();

    long leaseMillis();

    /** Whether the watchdog is to renew it. */
    default boolean watched() {
        return false;
    }

    /** How many tokens are to be put by; 1 if the lock is not to be handed on without asking. */
    default int tokens() {
        return 1;
    }

    /** The lease to ask the server for, if the lock is to be handed on. */
    default long askedMillis() {
        return leaseMillis();
    }

    /** Whether the call waits for its turn; else it asks once. */
    boolean waits();

    /** How long the call's client takes to ask when a message tells it to, in steps: 0 if it does at once (rule 125). */
    default int distance() {
        return 0;
    }

    /** Whether the call waits for so long that it is of use to tell other clients. */
    default boolean waitsLong() {
        return waits();
    }

    /** Since when the call waits, by the client's clock. */
    default long sinceNanos() {
        return 0;
    }

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
