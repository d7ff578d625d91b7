package io.holdfast.lock.engine.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps one at a time, in the order in which they came, on whichever thread brings them.
 *
 * <p>No thread waits: one that finds the gate busy leaves its step behind and goes. The thread inside runs what was
 * left; after a fair number of steps it passes the rest on to an executor, so that no caller is kept for ever.
 *
 * <p>There is one for each lock that is held, and most of them never see two threads at once: what these leave behind has
 * no place until the first of them needs it.
 */
public class SerialGate {

    private static final Logger log = LoggerFactory.getLogger(SerialGate.class);
    private static final int STEPS_PER_TURN = 128;

    private static final VarHandle STEPS;
    private static final VarHandle PENDING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STEPS = lookup.findVarHandle(SerialGate.class, "steps", ConcurrentLinkedQueue.class);
            PENDING = lookup.findVarHandle(SerialGate.class, "pending", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Executor relief;
    /** What was left behind; null until something is. */
    private volatile @Nullable ConcurrentLinkedQueue<Runnable> steps;
    /** Steps that were counted and have not ended. */
    @SuppressWarnings("unused") // but by its handle
    private volatile int pending;

    /** @param relief where a long run of steps goes on */
    public SerialGate(Executor relief) {
        this.relief = relief;
    }

    /** What its steps are about: equal for two gates of which one has replaced the other. */
    public Object subject() {
        return this;
    }

    /** What each step leaves to its end. Within the gate, also behind a step that has failed. */
    protected void afterStep() {}

    public void run(Runnable step) {
        if (enter()) {
            try {
                attempt(step);
            } finally {
                leave();
            }
        } else {
            leaveBehind(step);
        }
    }

    /** As {@link #run(Runnable)}, without an object for the step where no thread is inside. */
    public <A, B> void run(BiConsumer<A, B> step, A one, B two) {
        if (enter()) {
            try {
                step.accept(one, two);
            } catch (RuntimeException | Error bug) {
                report(bug);
            } finally {
                stepEnded();
                leave();
            }
        } else {
            leaveBehind(() -> step.accept(one, two));
        }
    }

    /** As {@link #run}, but never on the calling thread: the step runs on the executor. */
    public void runElsewhere(Runnable step) {
        leftBehind().add(step);
        if ((int) PENDING.getAndAdd(this, 1) == 0 && !passOn()) {
            drain(STEPS_PER_TURN);
        }
    }

    /** Whether the calling thread is inside now, because no other was, and nothing had been left behind. */
    private boolean enter() {
        if (pending != 0 || !PENDING.compareAndSet(this, 0, 1)) {
            return false;
        }
        ConcurrentLinkedQueue<Runnable> left = steps;
        if (left == null || left.isEmpty()) {
            return true;
        }
        // Left behind by a thread that has not counted it yet, perhaps ahead of another step of this very thread.
        drain(STEPS_PER_TURN);
        return false;
    }

    private void leave() {
        if (oneLess() != 0) {
            drain(STEPS_PER_TURN - 1);
        }
    }

    private void leaveBehind(Runnable step) {
        leftBehind().add(step);
        if ((int) PENDING.getAndAdd(this, 1) == 0) {
            drain(STEPS_PER_TURN);
        }
    }

    private int oneLess() {
        return (int) PENDING.getAndAdd(this, -1) - 1;
    }

    private ConcurrentLinkedQueue<Runnable> leftBehind() {
        ConcurrentLinkedQueue<Runnable> present = steps;
        if (present != null) {
            return present;
        }
        ConcurrentLinkedQueue<Runnable> fresh = new ConcurrentLinkedQueue<>();
        return STEPS.compareAndSet(this, null, fresh) ? fresh : Objects.requireNonNull(steps);
    }

    /** Runs steps until none is left, or as many as one turn may have. */
    private void drain(int turn) {
        ConcurrentLinkedQueue<Runnable> queue = leftBehind();
        int left = turn;
        do {
            if (left-- == 0 && passOn()) {
                return;
            }
            Runnable step = queue.poll();
            if (step != null) {
                attempt(step);
            }
        } while (oneLess() != 0);
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error bug) {
            report(bug);
        }
        stepEnded();
    }

    private void stepEnded() {
        try {
            afterStep();
        } catch (RuntimeException | Error bug) {
            report(bug);
        }
    }

    private static void report(Throwable bug) {
        Logging.attempt(() -> log.error("a step failed; this is a bug", bug));
    }

    /** False if the rest stays with the calling thread: also where memory is too short to hand it over (rule 76). */
    private boolean passOn() {
        try {
            return OnceTask.send(relief, () -> drain(STEPS_PER_TURN));
        } catch (OutOfMemoryError noRoom) {
            return false;
        }
    }
}
