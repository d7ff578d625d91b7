package io.holdfast.lock.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
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
        steps.add(step);
        if (pending.getAndIncrement() == 0) {
            drain();
        }
    }

    /** As {@link #run}, but never on the calling thread: the step runs on the executor. */
    void runElsewhere(Runnable step) {
        steps.add(step);
        if (pending.getAndIncrement() == 0 && !passOn()) {
            drain();
        }
    }

    private void drain() {
        int left = STEPS_PER_TURN;
        do {
            if (left-- == 0 && passOn()) {
                return;
            }
            Runnable step = steps.poll();
            try {
                if (step != null) {
                    step.run();
                }
            } catch (RuntimeException | Error bug) {
                log.error("a step failed; this is a bug", bug);
            }
        } while (pending.decrementAndGet() != 0);
    }

    private boolean passOn() {
        return Errand.send(relief, this::drain);
    }
}
