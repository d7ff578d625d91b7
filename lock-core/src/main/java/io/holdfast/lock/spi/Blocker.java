package io.holdfast.lock.spi;

/** The one place where a caller waits. */
public interface Blocker {

    /**
     * True if the calling thread may wait. Threads that serve the connections may not: waiting there would be a
     * deadlock, so a caller asks before anything is sent.
     */
    boolean mayWait();

    /**
     * True if the calling thread may wait until others give something back. A thread that runs callbacks may not while
     * no other is left to run what the others need; it may still wait for an answer.
     */
    default boolean mayWaitForOthers() {
        return mayWait();
    }

    /**
     * Waits until it is done or the calling thread is interrupted; it does not clear the interrupt flag. The thread that gets
     * it done calls {@link #unblock} with this thread afterwards.
     */
    void await(Awaited awaited);

    /** Lets other threads have the processor for a moment, if they want it. */
    default void giveWay() {}

    /** Wakes a thread that waits. */
    void unblock(Thread thread);
}
