package io.holdfast.lock.benchmarks.peer;

import java.util.concurrent.CompletionStage;

/** One lock of a peer. Whoever can't do a call throws {@link UnsupportedOperationException}. */
public interface PeerLock extends AutoCloseable {

    /** The lease of every hold that has one. */
    long LEASE_MILLIS = 30_000;

    /** How many hold a {@link LockType#PERMIT} at once. */
    int PERMITS = 8;

    /** Takes the lock, waiting as long as it takes. */
    void lock();

    /** Takes the lock if it is free now. */
    boolean tryLock();

    void unlock();

    /** Takes the lock for an owner that is no thread. */
    default CompletionStage<?> lockAsync(long owner) {
        throw new UnsupportedOperationException(this + " has no asynchronous calls");
    }

    default CompletionStage<?> unlockAsync(long owner) {
        throw new UnsupportedOperationException(this + " has no asynchronous calls");
    }

    /** Gives back what this object has of its own, such as a socket. */
    @Override
    default void close() {}
}
