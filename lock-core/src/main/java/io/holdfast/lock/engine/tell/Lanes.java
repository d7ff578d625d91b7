package io.holdfast.lock.engine.tell;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The lanes of a client's listeners. A lane goes when nothing refers to it: no call or hold of which its listener hears, and
 * nothing that waits to be told. So options may be made by the million, each with a listener of its own.
 */
final class Lanes {

    private static final class Entry extends WeakReference<ListenerLane> {

        private final LockListener listener;

        Entry(ListenerLane lane, ReferenceQueue<ListenerLane> gone) {
            super(lane, gone);
            this.listener = lane.listener;
        }
    }

    /** Lanes that were asked for together. */
    private record Known(List<LockListener> listeners, List<ListenerLane> lanes) {}

    private final Callbacks callbacks;
    private final LogLimit failures;
    /** By identity: what a listener calls equal is code of users. */
    private final IdentityHashMap<LockListener, Entry> lanes = new IdentityHashMap<>();

    private final ReferenceQueue<ListenerLane> gone = new ReferenceQueue<>();
    /** Written under this object's lock. */
    private boolean closed;
    /** Those that were asked for last: mostly those of the client's own options, and then no thread waits for another. */
    private volatile Known latest = new Known(List.of(), List.of());

    Lanes(Callbacks callbacks, LogLimit failures) {
        this.callbacks = callbacks;
        this.failures = failures;
    }

    /** The lanes of listeners, in their order; a listener has never more than one. */
    @SuppressWarnings("ReferenceEquality") // options have their list as long as they are there
    List<ListenerLane> of(List<LockListener> listeners) {
        Known known = latest;
        if (known.listeners != listeners) {
            known = new Known(listeners, find(listeners));
            latest = known;
        }
        return known.lanes;
    }

    private synchronized List<ListenerLane> find(List<LockListener> listeners) {
        for (Reference<?> old = gone.poll(); old != null; old = gone.poll()) {
            if (old instanceof Entry entry) {
                lanes.remove(entry.listener, entry);
            }
        }
        return listeners.stream().map(this::find).toList();
    }

    /** The client is being closed: nothing waits to be gathered any more. */
    synchronized void close() {
        closed = true;
        for (Entry entry : lanes.values()) {
            ListenerLane lane = entry.get();
            if (lane != null) {
                lane.stopGathering();
            }
        }
    }

    private ListenerLane find(LockListener listener) {
        Entry known = lanes.get(listener);
        ListenerLane lane = known == null ? null : known.get();
        if (lane == null) {
            lane = new ListenerLane(listener, callbacks, failures);
            if (closed) {
                lane.stopGathering();
            }
            lanes.put(listener, new Entry(lane, gone));
        }
        return lane;
    }
}
