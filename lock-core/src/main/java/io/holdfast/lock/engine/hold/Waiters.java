package io.holdfast.lock.engine.hold;

import io.holdfast.lock.engine.kind.LockKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that want a cell's lock. A cell has them only while there are any. */
public interface Waiters {

    /** How many wait. From any thread. */
    int waiters();

    /** The calls that wait, in their order. From any thread, which waits for no step. */
    List<Waiter> all();

    /**
     * A hold of this client has ended otherwise than by a hand-over: the first call that wants the lock asks at once (rule
     * 28).
     */
    void holdEnded();

    /** The same where the release of the hold has just been sent. */
    void holdReleased();

    /** A step has ended: where another call is the first one by now, it learns that. */
    void stepEnded();

    /** The client is closed: all of them fail. */
    void close();

    /** Those whose order is kept where that of calls for this kind is; null if there are none. */
    @Nullable
    Waiters inOrderOf(LockKind kind);

    /** Ends those loops in which nothing waits, asks or listens, and gives the others; null if there are none. */
    @Nullable
    Waiters withoutIdle();
}
