package io.holdfast.lock.benchmarks.peer;

/** A lock library, connected: what workloads measure. One object is one client, as one process would have it. */
public interface Peer extends AutoCloseable {

    /** A lock for one thread at a time; each thread takes its own object, also for the same name. */
    PeerLock lock(String name, HoldMode mode);

    /** The same, of another type; what has no such lock throws {@link UnsupportedOperationException}. */
    default PeerLock lock(String name, LockType type, HoldMode mode) {
        if (type != LockType.PLAIN) {
            throw new UnsupportedOperationException(this + " has no such lock: " + type + " (expected: PLAIN)");
        }
        return lock(name, mode);
    }

    @Override
    void close();
}
