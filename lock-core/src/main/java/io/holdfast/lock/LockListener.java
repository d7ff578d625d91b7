package io.holdfast.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to locks: the hook for metrics, tracing and logging.
 *
 * <p>Methods run on the client's callback executor, one at a time and in order, off the path of the locks: a slow or
 * failing listener delays neither a lock nor another listener. {@link #of(LockListener...)} makes one of several. A listener that falls far behind misses events, and a warning says how
 * many; it never misses a loss. {@link #lost} waits no longer than a second for a method that has not returned, and then
 * runs beside it.
 */
public interface LockListener {

    /** The listener that does nothing. */
    LockListener NONE = new LockListener() {
        @Override
        public String toString() {
            return "none";
        }
    };

    /** Several listeners as one, for options that take one. Each hears everything, and none waits for another. */
    static LockListener of(LockListener... listeners) {
        return of(List.of(listeners));
    }

    /** As {@link #of(LockListener...)}. */
    static LockListener of(List<LockListener> listeners) {
        return ListenerList.of(listeners);
    }

    /**
     * A call that wants a lock begins. Runs on the caller's own thread, before anything is sent: it must return at once. What it
     * throws is logged, and the call goes on.
     *
     * @return what every event of this call then has as {@link LockEvent#context()}: a span, for example; may be null
     */
    default @Nullable Object started(String lockName) {
        return null;
    }

    /** A call begins to wait; {@link LockEvent#position()} says for how many. */
    default void waiting(LockEvent event) {}

    /** A lock was granted by the server. */
    default void acquired(LockEvent event) {}

    /** A call got a lock that its owner has already; no server was asked. */
    default void reentered(LockEvent event) {}

    /** A call ended without the lock; {@link LockEvent#failureReason()} says why. */
    default void refused(LockEvent event) {}

    /** A lock was handed over to a waiter of the same client. */
    default void transferred(LockEvent event) {}

    /** A hold was given back. */
    default void released(LockEvent event) {}

    /** A hold was renewed. */
    default void renewed(LockEvent event) {}

    /** A renewal failed; the hold is still valid and the renewal is repeated. */
    default void renewalFailed(LockEvent event) {}

    /** A hold was lost. */
    default void lost(LockEvent event) {}

    /** A connection of the client was made or lost, or leads to another server than before. */
    default void connection(ConnectionEvent event) {}

    /** This listener has missed so many events since it was told this last, or ever. */
    default void missed(long events) {}
}
