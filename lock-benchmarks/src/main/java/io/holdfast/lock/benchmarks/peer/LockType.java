package io.holdfast.lock.benchmarks.peer;

/** Which of its locks a peer is asked for. */
public enum LockType {
    /** One holder at a time, in any order. */
    PLAIN,
    /** One holder at a time, in the order in which they came. */
    FAIR,
    /** The half of a read/write lock that many hold together. */
    READ,
    /** The half of a read/write lock that one holds alone. */
    WRITE,
    /** One of the {@value PeerLock#PERMITS} permits of a semaphore, each with a lease of its own. */
    PERMIT
}
