package io.holdfast.lock.engine;

import io.holdfast.lock.engine.call.SerialGate;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * A {@link SerialGate} whose steps have results, for tests of what lives behind one: a caller that finds the gate busy
 * waits for whoever is inside to run its step. What the gate passes on to an executor is run by those who wait.
 */
public final class GatedSteps {

    private final ConcurrentLinkedQueue<Runnable> relief = new ConcurrentLinkedQueue<>();
    private final SerialGate gate = new SerialGate(relief::add);

    private static final class Result<T> {
        private T value;
        private volatile boolean there;
    }

    /** Brings a step to the gate. */
    public <T> T run(Supplier<T> step) {
        Result<T> result = new Result<>();
        gate.run(() -> settle(result, step));
        return await(result);
    }

    /** Brings a step that must not run on the calling thread, unless as one that was passed on. */
    public <T> T runElsewhere(Supplier<T> step) {
        Result<T> result = new Result<>();
        gate.runElsewhere(() -> settle(result, step));
        return await(result);
    }

    private static <T> void settle(Result<T> result, Supplier<T> step) {
        result.value = step.get();
        result.there = true;
    }

    private <T> T await(Result<T> result) {
        while (!result.there) {
            Runnable passedOn = relief.poll();
            if (passedOn != null) {
                passedOn.run();
            }
        }
        return result.value;
    }
}
