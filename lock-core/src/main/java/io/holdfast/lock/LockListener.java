package io.holdfast.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to calls that want a lock, to holds and to connections: the hook for metrics, tracing and logging.
 *
 * <p>A call that was {@link #started} ends once: {@link #acquired}, {@link #reentered} or {@link #refused}. What was acquired
 * ends once: {@link #released}, {@link #transferred} or {@link #lost}. All events of a call, and of the hold that it acquired,
 * have what {@code started} gave back for it. Of a MultiLock its members are told: each starts and ends with the call.
 *
 * <p>All methods but {@code started} run on the client's callback executor, one at a time and in order, off the path of the
 * locks: a slow or failing listener delays neither a lock nor another listener. {@link #of(LockListener...)} makes one of
 * several. A listener for which 100,000 events wait misses what comes then, and {@link #missed} tells how much; it never misses
 * a loss. {@link #lost} waits no longer than a second for its turn. Then it runs beside a method that has not returned, and ahead
 * of what would have been told before it.
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
     * A call that wants a lock begins. Runs on the caller's own thread, before anything is sent: it must return at once, and
     * must not want a lock with this listener. What it throws is logged, and the call goes on without a context.
     *
     * @return what every event of this call then has as {@link LockEvent#context()}: a span, for example; may be null
     */
    default @Nullable Object started(String lockName) {
        return null;
    }

    /** A call begins to wait, for others or for a fault to pass; {@link LockEvent#position()} says at which place. */
    default void waiting(LockEvent event) {}

    /** A lock was granted. */
    default void acquired(LockEvent event) {}

    /** A call got a lock that its owner has already: the hold is that of its first call. */
    default void reentered(LockEvent event) {}

    /** A call ended without the lock; {@link LockEvent#failureReason()} says why. */
    default void refused(LockEvent event) {}

    /** A hold has ended: the lock was handed over to another call of the same client, which acquires it. */
    default void transferred(LockEvent event) {}

    /** A hold was given back; with a {@link LockEvent#failureReason()} if no server has confirmed it. */
    default void released(LockEvent event) {}

    /** A hold was renewed. */
    default void renewed(LockEvent event) {}

    /** A renewal failed; the hold is still valid and the renewal is repeated. */
    default void renewalFailed(LockEvent event) {}

    /** A hold was lost. */
    default void lost(LockEvent event) {}

    /**
     * A connection of the client was made or lost, or leads to another server than before. Told to the listeners of the client's
     * own options.
     */
    default void connection(ConnectionEvent event) {}

    /** This listener has missed so many events since it was told this last, or ever. */
    default void missed(long events) {}
}
