package io.holdfast.lock.spi;

import java.util.function.BooleanSupplier;

/** The one place where a caller waits. */
public interface Blocker {

    /**
     * Refuses threads that must not wait, before anything is sent.
     *
     * @param operation what the caller wants to do, for the message
     * @throws IllegalStateException on a thread that serves the connections, where waiting would be a deadlock
     */
    void check(String operation);

    /**
     * Waits until the condition holds or the calling thread is interrupted; it does not clear the interrupt flag.
     * Whoever makes the condition true afterwards calls {@link #unblock} with this thread.
     */
    void await(BooleanSupplier done);

    /** Wakes a thread that waits. */
    void unblock(Thread thread);
}
