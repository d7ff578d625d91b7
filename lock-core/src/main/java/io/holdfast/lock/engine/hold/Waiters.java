package io.holdfast.lock.engine.hold;

/** The calls that want a cell's lock. A cell has them only while there are any. */
public interface Waiters {

    /** How many wait. From any thread. */
    int waiters();

    /**
     * A hold of this client has ended otherwise than by a hand-over: the first call that wants the lock asks at once (rule
     * 28).
     */
    void holdEnded();

    /** The client is closed: all of them fail. */
    void close();

    /** Whether nothing waits, asks or listens. */
    boolean isIdle();

    /** Nothing waits, asks or listens any more. */
    void end();
}
