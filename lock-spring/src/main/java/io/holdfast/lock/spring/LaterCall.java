package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call whose result comes later. It asks for the lock without blocking, runs the work when it is granted, and gives the lock
 * back when the result is there. A caller that gives up and a lock that is granted may meet at any moment: one change of the
 * state decides which was first, and the other one cleans up.
 */
abstract class LaterCall {

    private enum State {
        /** The lock is asked for. */
        ASKING,
        /** The work is begun; its source is not there yet. */
        BEGINNING,
        /** The caller has given up while the work was being begun; who begins it cleans up. */
        STOPPED,
        /** The source is there, and its result is not. */
        RUNNING,
        /** The result is there, and the lock is being given back. Or the caller has given up. */
        OVER
    }

    private final Work work;
    private final AtomicReference<State> state = new AtomicReference<>(State.ASKING);
    private volatile @Nullable Taking taking;
    /** Null without a lock: what runs instead of the work. */
    private volatile @Nullable Grip grip;
    /** What stops the work when its lock is lost; null if nothing does. */
    private volatile @Nullable Runnable watcher;

    LaterCall(Work work) {
        this.work = work;
    }

    /**
     * Takes over what the work gave back, or what came in its place; ends with {@link #sourceEnded}.
     *
     * @param held what the call has; null if it has no lock
     */
    abstract void begin(@Nullable Object source, @Nullable Grip held, @Nullable Inside inside) throws Throwable;

    /** Stops what was begun, also if it has not quite begun yet. */
    abstract void stop();

    /** Whether nothing runs any more once it was stopped; else the lock is held until the source ends by itself. */
    abstract boolean isOverWhenStopped();

    /** Tells the caller of the end: of a failure, or of a success if it is null. */
    abstract void finish(@Nullable Throwable failure);

    /** @param outer what encloses the call */
    final void start(@Nullable Inside outer) {
        Taking fresh;
        LockRequest request;
        try {
            request = work.request();
            fresh = new Taking(request, outer);
        } catch (Throwable refused) {
            if (state.compareAndSet(State.ASKING, State.OVER)) {
                finish(refused);
            }
            return;
        }
        taking = fresh;
        fresh.ask((granted, failure) -> answered(request, outer, granted, failure));
        if (state.get() == State.OVER) {
            fresh.withdraw();
        }
    }

    private void answered(
            LockRequest request, @Nullable Inside outer, @Nullable Grip granted, @Nullable Throwable failure) {
        grip = granted;
        if (!state.compareAndSet(State.ASKING, State.BEGINNING)) {
            end(granted);
            return;
        }
        Inside inside = granted == null ? outer : new Inside(granted, work.onLost() != OnLost.IGNORE, outer);
        Inside before = Inside.set(inside);
        try {
            begin(source(request, granted, failure), granted, inside);
        } catch (Throwable thrown) {
            sourceEnded(thrown);
            return;
        } finally {
            Inside.set(before);
        }
        begun();
    }

    private @Nullable Object source(LockRequest request, @Nullable Grip granted, @Nullable Throwable failure)
            throws Throwable {
        if (granted != null) {
            return work.run(granted);
        }
        if (failure instanceof LockException unavailable) {
            return work.unavailable(unavailable);
        }
        if (failure != null) {
            throw failure;
        }
        return work.refused(Failures.notGranted(request));
    }

    /** Whether the caller has given up while the work was being begun. */
    final boolean isStopped() {
        return state.get() == State.STOPPED;
    }

    /** The source is there: from now on it may be stopped. */
    private void begun() {
        Grip held = grip;
        if (state.compareAndSet(State.BEGINNING, State.RUNNING)) {
            if (held != null && work.onLost() == OnLost.INTERRUPT) {
                Runnable fresh = () -> lost(held);
                watcher = fresh;
                held.watch(fresh);
                if (state.get() == State.OVER) {
                    held.unwatch(fresh);
                }
            }
        } else if (state.compareAndSet(State.STOPPED, State.OVER)) {
            stop();
            end(held);
        }
    }

    private void lost(Grip held) {
        if (state.compareAndSet(State.RUNNING, State.OVER)) {
            stop();
            endAsync(held).whenComplete((loss, never) -> finish(loss));
        }
    }

    /** The source has ended: with a failure, or successfully. */
    final void sourceEnded(@Nullable Throwable failure) {
        State was = state.getAndSet(State.OVER);
        Grip held = grip;
        if (was == State.OVER) {
            return;
        }
        if (was == State.STOPPED) {
            end(held);
        } else if (held == null) {
            finish(failure);
        } else {
            endAsync(held).whenComplete((loss, never) -> finish(together(failure, loss)));
        }
    }

    private @Nullable Throwable together(@Nullable Throwable failure, @Nullable LockLostException loss) {
        if (loss == null || loss == failure || work.onLost() == OnLost.IGNORE) {
            return failure;
        }
        if (failure == null) {
            return loss;
        }
        failure.addSuppressed(loss);
        return failure;
    }

    /** The caller has given up. */
    final void giveUp() {
        if (state.compareAndSet(State.ASKING, State.OVER)) {
            Taking asked = taking;
            if (asked != null) {
                asked.withdraw();
            }
        } else if (!isOverWhenStopped() || state.compareAndSet(State.BEGINNING, State.STOPPED)) {
            stop();
        } else if (state.compareAndSet(State.RUNNING, State.OVER)) {
            stop();
            end(grip);
        }
    }

    private void end(@Nullable Grip held) {
        if (held != null) {
            endAsync(held);
        }
    }

    private CompletionStage<@Nullable LockLostException> endAsync(Grip held) {
        Runnable known = watcher;
        if (known != null) {
            held.unwatch(known);
        }
        return held.endAsync();
    }
}
