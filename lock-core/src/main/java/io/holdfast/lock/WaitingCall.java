package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;

/** A look at a call of this client that wants a lock. Not for implementing: later versions tell more. */
public interface WaitingCall {

    /** The lock's name. */
    String name();

    /** The owner that wants it: {@code <client id>:<owner>}. */
    String owner();

    /** As what the owner wants to hold it. */
    HoldKind kind();

    /**
     * Its place among this client's calls that want the lock; the first has 1. Those of other clients that stand in the server's queue
     * are in {@link LockInfo#queue()}.
     */
    int position();

    /** How long it has waited. */
    Duration waited();

    /** The name of the thread that called; empty for a call that belongs to no thread. */
    Optional<String> threadName();
}
