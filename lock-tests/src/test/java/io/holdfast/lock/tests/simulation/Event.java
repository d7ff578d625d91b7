package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Timer;
import org.jspecify.annotations.Nullable;

/** Something that happens at a time of the world, in a client or outside of all. */
class Event implements Timer {

    final @Nullable SimulatedClient client;
    private @Nullable Runnable action;
    long atNanos;
    /** Orders events of the same time by when they were planned. */
    long number;

    Event(@Nullable SimulatedClient client, Runnable action) {
        this.client = client;
        this.action = action;
    }

    @Override
    public void cancel() {
        action = null;
    }

    boolean isCancelled() {
        return action == null;
    }

    /**
     * Runs it, unless it was cancelled.
     *
     * @return false if it is to come later
     */
    boolean happen() {
        Runnable run = action;
        if (run != null) {
            action = null;
            run.run();
        }
        return true;
    }

    final boolean isBefore(Event other) {
        return atNanos != other.atNanos ? atNanos < other.atNanos : number < other.number;
    }
}
