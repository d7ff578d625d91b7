package io.holdfast.lock.tests.simulation;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a client that makes calls that block. It runs only while the world stands still for it: the two take turns,
 * so that a run is as deterministic as with one thread.
 */
final class SimulatedThread extends Thread {

    /** Far below the ids of owners without a thread. */
    private static final long FIRST_ID = 100;

    private final long id;
    private final Thread worldThread;
    private volatile boolean itsTurn;
    private volatile @Nullable Runnable body;
    private @Nullable Waiting waiting;
    private @Nullable Throwable failure;

    /** A call that waits. */
    static final class Waiting {

        final SimulatedThread thread;
        /** Whose call it is; null if it is nobody's. */
        final @Nullable SimulatedClient client;

        final BooleanSupplier done;
        private boolean interrupted;
        private boolean waking;
        private boolean ended;

        Waiting(SimulatedThread thread, @Nullable SimulatedClient client, BooleanSupplier done) {
            this.thread = thread;
            this.client = client;
            this.done = done;
        }

        /** Whether the thread has a reason to go on that nobody has acted on. */
        boolean shouldWake() {
            return !waking && (interrupted || done.getAsBoolean());
        }

        void waking() {
            waking = true;
        }

        void interrupt() {
            interrupted = true;
        }

        /** Lets the thread go on. */
        void wake() {
            if (!ended) {
                thread.takeTurn();
            }
        }

        /** The process is no more: the call never returns. */
        void abandon() {
            ended = true;
            thread.takeTurn();
        }
    }

    /** What a call that never returns ends with, so that its thread can serve again. */
    static final class AbandonedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        AbandonedException() {
            super("the client is no more", null, false, false);
        }
    }

    /**
     * @param number of this thread among those of its world
     * @param worldThread the thread that lets the world go on
     */
    SimulatedThread(String name, int number, Thread worldThread) {
        super(name);
        this.id = FIRST_ID + number;
        this.worldThread = worldThread;
        setDaemon(true);
        start();
    }

    /** The same in each run of a seed: it is part of what the owner of a lock is called. */
    @Override
    public long getId() {
        return id;
    }

    /** The thread that calls this. */
    static SimulatedThread current() {
        if (Thread.currentThread() instanceof SimulatedThread thread) {
            return thread;
        }
        throw new IllegalStateException("a call that blocks needs a thread of its own");
    }

    // --- the world's side ---

    boolean isBusy() {
        return body != null;
    }

    /** The call that this thread waits in; null if it does not wait. */
    @Nullable
    Waiting waiting() {
        return waiting;
    }

    /** Runs until it waits, or has done. */
    void execute(Runnable newBody) {
        body = newBody;
        takeTurn();
    }

    /** Ends a thread that is not busy. */
    void dismiss() {
        itsTurn = true;
        LockSupport.unpark(this);
    }

    private void takeTurn() {
        itsTurn = true;
        LockSupport.unpark(this);
        while (itsTurn) {
            LockSupport.park(this);
        }
        Throwable bug = failure;
        if (bug != null) {
            failure = null;
            throw new IllegalStateException(getName() + " failed", bug);
        }
    }

    // --- its own side ---

    @Override
    public void run() {
        while (true) {
            awaitTurn();
            Runnable task = body;
            if (task == null) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                failure = bug;
            } finally {
                body = null;
                giveTurnBack();
            }
        }
    }

    /** Lets the world go on until the condition holds, or this thread is interrupted. */
    void waitUntil(World world, @Nullable SimulatedClient client, BooleanSupplier done) {
        Waiting call = new Waiting(this, client, done);
        waiting = call;
        world.entered(call);
        giveTurnBack();
        awaitTurn();
        waiting = null;
        world.left(call);
        if (call.ended) {
            throw new AbandonedException();
        }
        if (call.interrupted) {
            interrupt();
        }
    }

    private void giveTurnBack() {
        itsTurn = false;
        LockSupport.unpark(worldThread);
    }

    private void awaitTurn() {
        while (!itsTurn) {
            LockSupport.park(this);
        }
    }
}
