package io.holdfast.lock.engine.call;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that is done once, by the first that begins it. An executor that throws may yet run what it was given: a pool
 * that can't start a thread has queued the task before it throws. And a task may be given to a second executor, since the
 * first one has no time.
 */
public final class OnceTask implements Runnable {

    private final Runnable task;
    private final AtomicBoolean begun = new AtomicBoolean();

    public OnceTask(Runnable task) {
        this.task = task;
    }

    /** Hands over a task; false if the executor threw and has not begun: then it never will. */
    public static boolean send(Executor executor, Runnable task) {
        OnceTask errand = new OnceTask(task);
        try {
            executor.execute(errand);
            return true;
        } catch (RuntimeException | Error refused) {
            // The executor may be the user's and throw anything. What it would not do is done by the sender.
            return !errand.begun.compareAndSet(false, true);
        }
    }

    boolean hasBegun() {
        return begun.get();
    }

    @Override
    public void run() {
        if (begun.compareAndSet(false, true)) {
            task.run();
        }
    }
}
