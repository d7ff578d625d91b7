package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.tests.simulation.SimulatedThread.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Time, and what happens in it: events, one after the other, by their time. A thread that makes a blocking call takes
 * turns with the world, and goes on a moment after it may.
 *
 * <p>All that happens goes into a hash, so that two runs of one seed can be compared.
 */
final class World {

    private static final int MOST_EVENTS = 400_000;
    private static final long MOST_WAKING_NANOS = 60_000;

    final long seed;
    private final EventQueue queue = new EventQueue();
    private final List<Waiting> waiting = new ArrayList<>();
    private final @Nullable Trace trace;
    private final Chance chance;

    private long nowNanos;
    private long planned;
    private int happened;
    private long hash;
    private @Nullable Violation violation;
    private @Nullable Observer observer;

    /** Hears of every event. */
    interface Observer {

        void happened(@Nullable SimulatedClient client);
    }

    /** @param trace where to write down what happens; null to save the time */
    World(long seed, @Nullable Trace trace) {
        this.seed = seed;
        this.trace = trace;
        this.hash = Chance.mix(seed);
        this.chance = new Chance(seed, 5);
    }

    // --- time ---

    long nanos() {
        return nowNanos;
    }

    /** Something that happens later, at no client in particular. */
    Event after(long delayNanos, Runnable action) {
        return after(delayNanos, null, action);
    }

    /** Something that happens later at a client, once it runs. */
    Event after(long delayNanos, @Nullable SimulatedClient client, Runnable action) {
        return plan(new Event(client, action), delayNanos);
    }

    Event plan(Event event, long delayNanos) {
        event.atNanos = nowNanos + Math.max(0, delayNanos);
        event.number = planned++;
        queue.add(event);
        return event;
    }

    /** Lets the next event happen. */
    void stepOn() {
        if (violation != null) {
            throw violation;
        }
        Event event = queue.poll();
        if (event == null) {
            throw fail("LV", "a call waits, and nothing will ever happen again");
        }
        if (event.isCancelled()) {
            return;
        }
        SimulatedClient client = event.client;
        if (client != null && !client.isRunning()) {
            client.putOff(event);
            return;
        }
        nowNanos = event.atNanos;
        if (++happened > MOST_EVENTS) {
            throw fail("LV", "more than " + MOST_EVENTS + " events: something goes round in circles");
        }
        mix(event.atNanos);
        mix(event.number);
        event.happen();
        wakeThreads();
        if (observer != null) {
            observer.happened(client);
        }
        if (violation != null) {
            throw violation;
        }
    }

    int events() {
        return happened;
    }

    void observe(Observer newObserver) {
        observer = newObserver;
    }

    // --- calls that block ---

    void entered(Waiting call) {
        waiting.add(call);
    }

    void left(Waiting call) {
        waiting.remove(call);
    }

    /** Threads that may go on do so a moment later. */
    private void wakeThreads() {
        for (int i = 0; i < waiting.size(); i++) {
            Waiting call = waiting.get(i);
            if (call.shouldWake()) {
                call.waking();
                after(chance.below(MOST_WAKING_NANOS), call.client, call::wake);
            }
        }
    }

    /** The calls of a process end with it. */
    void abandonCalls(SimulatedClient client) {
        for (Waiting call : List.copyOf(waiting)) {
            if (call.client == client) {
                call.abandon();
            }
        }
    }

    /** The run is over: no call returns any more. */
    void abandonAllCalls() {
        List.copyOf(waiting).forEach(Waiting::abandon);
    }

    // --- what is remembered ---

    /** Takes a number into the hash of the run. */
    void mix(long number) {
        hash = (hash ^ number) * 0x100000001b3L;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    boolean isTraced() {
        return trace != null;
    }

    /** Writes a line of the trace; ask {@link #isTraced} before making its words. */
    void note(String who, String what) {
        if (trace != null) {
            trace.add(nowNanos, who, what);
        }
    }

    /** The run has broken a promise. Only the first time counts. */
    Violation fail(String checker, String message) {
        if (violation == null) {
            violation = new Violation(checker, message);
            note(checker, message);
        }
        return violation;
    }

    @Nullable
    Violation violation() {
        return violation;
    }
}
