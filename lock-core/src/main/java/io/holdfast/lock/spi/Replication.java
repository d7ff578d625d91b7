package io.holdfast.lock.spi;

/**
 * Tells one client whether what it was granted is at replicas too, as many as it wants (rule 85).
 *
 * <p>It ends with its backend.
 */
public interface Replication {

    /** Hears once, on any thread, perhaps before {@link #await} returns. Must not block. */
    interface Listener {

        /** As many replicas as wanted have it. */
        void confirmed();

        /** Too few have it in time, or it could not be found out. */
        void failed(Fault fault);
    }

    /**
     * Asks for what this server process has granted by now. Any thread may do so; it never blocks and never throws.
     *
     * @param slot the slot of the lock
     * @param run the process that has granted: an answer from any other one proves nothing
     */
    void await(int slot, ServerRun run, Listener listener);

    /** How long a listener may have to wait at most, about. */
    long longestNanos();
}
