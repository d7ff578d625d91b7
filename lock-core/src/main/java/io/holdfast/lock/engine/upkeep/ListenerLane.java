package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.call.SerialGate;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What one listener is still to be told, in order. It exists while there is something, so no other listener waits for it. */
final class ListenerLane {

    /** A listener, whatever it calls equal: its own methods are code of users. */
    record Key(LockListener listener) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && listener == that.listener;
        }

        @Override
        public int hashCode() {
            return listener.getClass().getName().hashCode();
        }

        @Override
        public String toString() {
            return listener.getClass().getName();
        }
    }

    private static final int BACKLOG = 10_000;

    private final SerialGate gate;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();
    /** Events that have not ended; changes only within the map of the lanes. */
    private int open;

    ListenerLane(Executor callbacks) {
        this.gate = new SerialGate(callbacks);
    }

    ListenerLane oneMore() {
        open++;
        return this;
    }

    /** Null when nothing is left. */
    @Nullable
    ListenerLane oneLess() {
        open--;
        return open == 0 ? null : this;
    }

    /** False if the listener is too far behind for this event. */
    boolean hasRoom() {
        if (waiting.incrementAndGet() <= BACKLOG) {
            return true;
        }
        waiting.decrementAndGet();
        missed.incrementAndGet();
        return false;
    }

    /** Makes room for an event that must not be missed. */
    void makeRoom() {
        waiting.incrementAndGet();
    }

    /** Runs it on the callback executor, after what was there before. */
    void run(Runnable telling) {
        gate.runElsewhere(telling);
    }

    /** An event's turn has come; returns how many were missed since the one before. */
    long begin() {
        waiting.decrementAndGet();
        return missed.getAndSet(0);
    }
}
