package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Runtime;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way to code of users: dependents of futures, callbacks and listeners. None of it runs within a step, nor on a
 * thread that is inside a call (rule 74).
 *
 * <p>Without an executor of the user's choice it runs on threads of the runtime. An executor that the user has chosen may
 * run a task on the thread that brings it, refuse it, or throw anything. So a thread of the connections brings the task,
 * in a turn of its own, and what the executor refuses runs on a thread of the runtime.
 */
public final class Callbacks implements Executor {

    /** How long a loss, or how an election stands, waits behind other code of users (rule 74). */
    private static final long DUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NO_THREAD_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Runtime runtime;
    private final @Nullable Executor chosen;

    public Callbacks(Runtime runtime, Optional<Executor> chosen) {
        this.runtime = runtime;
        this.chosen = chosen.orElse(null);
    }

    /** Runs code of users on another thread, soon. */
    @Override
    public void execute(Runnable callback) {
        if (chosen == null) {
            give(runtime.callbacks(), callback);
        } else {
            offer(chosen, callback);
        }
    }

    /** As {@link #execute}, for what tells of a loss: other code of users keeps it back for a second at most. */
    public void tellLoss(Runnable callback) {
        tell(callback, runtime.losses());
    }

    /** The same for what tells how an election stands, so that it keeps no loss back. */
    public void tellElection(Runnable callback) {
        tell(callback, runtime.elections());
    }

    /** Sees to it that a loss which waits behind other code of users is told after a second. */
    public void insist(OnceTask loss) {
        insist(loss, runtime.losses());
    }

    private void tell(Runnable callback, Executor threads) {
        if (chosen == null) {
            give(threads, callback);
        } else {
            OnceTask errand = new OnceTask(callback);
            offer(chosen, errand);
            insist(errand, threads);
        }
    }

    private void insist(OnceTask errand, Executor threads) {
        runtime.after(DUE_NANOS, () -> {
            if (!errand.hasBegun()) {
                give(threads, errand);
            }
        });
    }

    /** How long what may wait for more of its kind is gathered; 0 if it is not. */
    public long gatheringNanos() {
        return runtime.gatheringNanos();
    }

    /** Runs a step of the engine's own after a delay; it does not come once the client is closed. */
    public void later(long delayNanos, Runnable step) {
        runtime.after(delayNanos, step);
    }

    private void offer(Executor executor, Runnable callback) {
        Runnable offering = () -> {
            if (!OnceTask.send(executor, callback)) {
                give(runtime.callbacks(), callback);
            }
        };
        if (!OnceTask.send(runtime.steps(), offering)) {
            // The client is closed, and the threads of its connections have ended.
            give(runtime.callbacks(), offering);
        }
    }

    /** Hands a task to threads of the runtime; tries again later while none can be had. */
    private void give(Executor threads, Runnable task) {
        if (!OnceTask.send(threads, task)) {
            runtime.after(NO_THREAD_PAUSE_NANOS, () -> give(threads, task));
        }
    }
}
