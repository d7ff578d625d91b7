package io.holdfast.lock.spi;

/** The one place where a caller waits. */
public interface Blocker {

    /**
     * Whether the calling thread may wait. Threads that serve the connections may not: waiting there would be a
     * deadlock, so a caller asks before anything is sent.
     */
    boolean mayWait();

    /**
     * Waits until it is done or the calling thread is interrupted; it does not clear the interrupt flag. Whoever gets it
     * done calls {@link #unblock} with this thread afterwards.
     */
    void await(Awaited awaited);

    /** Wakes a thread that waits. */
    void unblock(Thread thread);
}
