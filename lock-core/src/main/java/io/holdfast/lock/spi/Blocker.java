package io.holdfast.lock.spi;

import java.util.function.BooleanSupplier;

/** The one place where a caller waits. */
public interface Blocker {

    /**
     * Whether the calling thread may wait. Threads that serve the connections may not: waiting there would be a
     * deadlock, so a caller asks before anything is sent.
     */
    boolean mayWait();

    /**
     * Waits until the condition holds or the calling thread is interrupted; it does not clear the interrupt flag.
     * Whoever makes the condition true afterwards calls {@link #unblock} with this thread.
     */
    void await(BooleanSupplier done);

    /** Wakes a thread that waits. */
    void unblock(Thread thread);
}
