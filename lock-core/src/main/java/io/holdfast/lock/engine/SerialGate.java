package io.holdfast.lock.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps one at a time, in the order in which they came, on whichever thread brings them.
 *
 * <p>Nobody waits: a thread that finds the gate busy leaves its step behind and goes. The thread inside runs what was
 * left; after a fair number of steps it passes the rest on to an executor, so that no caller is kept for ever.
 */
final class SerialGate {

    private static final Logger log = LoggerFactory.getLogger(SerialGate.class);
    private static final int STEPS_PER_TURN = 128;

    private final ConcurrentLinkedQueue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final Executor relief;

    /** @param relief where a long run of steps goes on */
    SerialGate(Executor relief) {
        this.relief = relief;
    }

    void run(Runnable step) {
        if (enter()) {
            attempt(step);
            leave();
        } else {
            leaveBehind(step);
        }
    }

    /** As {@link #run(Runnable)}, without an object for the step where nobody is inside. */
    <A, B> void run(BiConsumer<A, B> step, A one, B two) {
        if (enter()) {
            try {
                step.accept(one, two);
            } catch (RuntimeException | Error bug) {
                report(bug);
            }
            leave();
        } else {
            leaveBehind(() -> step.accept(one, two));
        }
    }

    /** As {@link #run}, but never on the calling thread: the step runs on the executor. */
    void runElsewhere(Runnable step) {
        steps.add(step);
        if (pending.getAndIncrement() == 0 && !passOn()) {
            drain(STEPS_PER_TURN);
        }
    }

    /** Whether the calling thread is inside now, because nobody was, and nothing had been left behind. */
    private boolean enter() {
        if (pending.get() != 0 || !pending.compareAndSet(0, 1)) {
            return false;
        }
        if (steps.isEmpty()) {
            return true;
        }
        // Left behind by a thread that has not counted it yet, perhaps ahead of another step of this very thread.
        drain(STEPS_PER_TURN);
        return false;
    }

    private void leave() {
        if (pending.decrementAndGet() != 0) {
            drain(STEPS_PER_TURN - 1);
        }
    }

    private void leaveBehind(Runnable step) {
        steps.add(step);
        if (pending.getAndIncrement() == 0) {
            drain(STEPS_PER_TURN);
        }
    }

    /** Runs steps until none is left, or as many as one turn may have. */
    private void drain(int turn) {
        int left = turn;
        do {
            if (left-- == 0 && passOn()) {
                return;
            }
            Runnable step = steps.poll();
            if (step != null) {
                attempt(step);
            }
        } while (pending.decrementAndGet() != 0);
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error bug) {
            report(bug);
        }
    }

    private static void report(Throwable bug) {
        log.error("a step failed; this is a bug", bug);
    }

    private boolean passOn() {
        return Errand.send(relief, () -> drain(STEPS_PER_TURN));
    }
}
