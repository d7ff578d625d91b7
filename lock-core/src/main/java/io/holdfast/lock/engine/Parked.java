package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;

/** A result for which a thread waits. */
final class Parked<T> extends Pending<T> implements Awaited {

    private final Blocker blocker;
    private final Thread thread = Thread.currentThread();
    private volatile boolean madeToWait;

    /**
     * @param operation what the caller wants to do
     * @throws IllegalStateException on a thread that must not wait
     */
    Parked(Blocker blocker, String operation) {
        if (!blocker.mayWait()) {
            throw new IllegalStateException(operation + " would block " + thread.getName()
                    + ", a thread that serves connections; use the asynchronous call, or run callbacks on an executor"
                    + " whose threads may wait");
        }
        this.blocker = blocker;
    }

    /** As the other one, for calls that are too frequent to put the operation's name together each time. */
    Parked(Blocker blocker, String method, String lock) {
        this(blocker, blocker.mayWait() ? method : method + " on lock '" + lock + "'");
    }

    @Override
    public boolean isDone() {
        return isSettled();
    }

    @Override
    public boolean needsOnlyAnAnswer() {
        return !madeToWait;
    }

    @Override
    void onSettled() {
        blocker.unblock(thread);
    }

    @Override
    void onMadeToWait() {
        madeToWait = true;
    }

    /** Waits for the result; an interrupt does not end the wait, and the flag is kept. */
    T await() {
        boolean interrupted = false;
        while (!isSettled()) {
            blocker.await(this);
            interrupted |= !isSettled() && Thread.interrupted();
        }
        if (interrupted) {
            thread.interrupt();
        }
        return result();
    }

    /**
     * Waits for the result or an interrupt. If both come at once, the result is returned and the flag is kept.
     *
     * @param withdraw told when the wait was given up
     */
    T awaitInterruptibly(Runnable withdraw) throws InterruptedException {
        while (!isSettled()) {
            blocker.await(this);
            if (!isSettled() && thread.isInterrupted() && abandon()) {
                withdraw.run();
                Thread.interrupted();
                throw new InterruptedException();
            }
        }
        return result();
    }

    private T result() {
        Throwable failure = failure();
        if (failure == null) {
            return value();
        }
        // It was made on the thread that heard of the failure; the caller wants to see where it was called.
        failure.fillInStackTrace();
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(failure);
    }
}
