package io.holdfast.lock.tests.simulation;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor that a user might choose, and of every kind at once: it runs a task on the thread that brings it, keeps it
 * for later, refuses it, or takes it and throws.
 */
final class ChosenExecutor implements Executor {

    private static final long MOST_LATE_NANOS = 5_000_000;

    private final SimulatedClient client;
    private final Chance chance;

    ChosenExecutor(SimulatedClient client, Chance chance) {
        this.client = client;
        this.chance = chance;
    }

    @Override
    public void execute(Runnable task) {
        int lot = chance.below(10);
        if (lot < 5) {
            task.run();
        } else if (lot < 7) {
            later(task);
        } else if (lot < 9) {
            throw new RejectedExecutionException("full");
        } else {
            later(task);
            throw new InternalError("queued, but there are no more threads");
        }
    }

    private void later(Runnable task) {
        client.world.after(chance.below(MOST_LATE_NANOS), client, task);
    }
}
