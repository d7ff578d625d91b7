package io.holdfast.lock.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task for an executor that may throw, and may yet run it: a pool that can't start a thread has queued the task before
 * it throws. Whoever begins first does it, the executor or the one who sent it; the other does nothing.
 */
final class Errand implements Runnable {

    private final Runnable task;
    private final AtomicBoolean begun = new AtomicBoolean();

    private Errand(Runnable task) {
        this.task = task;
    }

    /** Hands over a task; false if the executor threw and has not begun: then it never will. */
    static boolean send(Executor executor, Runnable task) {
        Errand errand = new Errand(task);
        try {
            executor.execute(errand);
            return true;
        } catch (RuntimeException | Error refused) {
            // The executor is the user's, so it may throw anything. What it would not do is done by the sender.
            return !errand.begun.compareAndSet(false, true);
        }
    }

    @Override
    public void run() {
        if (begun.compareAndSet(false, true)) {
            task.run();
        }
    }
}
