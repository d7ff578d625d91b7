package io.holdfast.lock.engine.call;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;

/** A result for which a thread waits. */
public class Parked<T> extends Pending<T> implements Awaited {

    private final Blocker blocker;
    /** Null once the result is settled, and all that belongs to it can be seen. */
    private volatile @Nullable Thread waiting = Thread.currentThread();

    /** One that may have to wait for others. */
    private static final class ForOthers<T> extends Parked<T> {

        private volatile boolean madeToWait;

        ForOthers(Blocker blocker, String method, String lock) {
            super(blocker, method, lock);
        }

        ForOthers(Blocker blocker, String operation) {
            super(blocker, operation);
        }

        @Override
        public boolean needsOnlyAnAnswer() {
            return !madeToWait;
        }

        @Override
        public void onMadeToWait() {
            madeToWait = true;
        }
    }

    /**
     * @param operation what the caller wants to do
     * @throws IllegalStateException on a thread that must not wait
     */
    public Parked(Blocker blocker, String operation) {
        if (!blocker.mayWait()) {
            throw new IllegalStateException(Printable.message(operation) + " would block "
                    + Printable.of(Thread.currentThread().getName())
                    + ", a thread that serves connections; use the asynchronous call, or run callbacks on an executor"
                    + " whose threads may wait");
        }
        this.blocker = blocker;
    }

    /**
     * A result that may have to wait for others, which may need threads to give something back.
     *
     * @throws IllegalStateException on a thread that must not wait, or not for others
     */
    public static <T> Parked<T> forOthers(Blocker blocker, String method, String lock) {
        Parked<T> parked = new ForOthers<>(blocker, method, lock);
        if (!blocker.mayWaitForOthers()) {
            throw tooBusy(new Named("lock", lock), method);
        }
        return parked;
    }

    /** As the other one, for what may be no lock. */
    public static <T> Parked<T> forOthers(Blocker blocker, String method, Named what) {
        Parked<T> parked = new ForOthers<>(blocker, method + " on " + what);
        if (!blocker.mayWaitForOthers()) {
            throw tooBusy(what, method);
        }
        return parked;
    }

    private static IllegalStateException tooBusy(Named what, String method) {
        return new IllegalStateException(method + " on " + what + " would block "
                + Printable.of(Thread.currentThread().getName())
                + ", and all threads for callbacks are busy; use the asynchronous call");
    }

    /** As the other one, for calls that are too frequent to put the operation's name together each time. */
    public Parked(Blocker blocker, String method, String lock) {
        this(blocker, blocker.mayWait() ? method : method + " on lock '" + Printable.of(lock) + "'");
    }

    @Override
    public final boolean isDone() {
        return waiting == null;
    }

    @Override
    public boolean needsOnlyAnAnswer() {
        return true;
    }

    @Override
    public final void onSettled() {
        Thread thread = waiting;
        waiting = null;
        if (thread != null) {
            blocker.unblock(thread);
        }
    }

    /** Waits for the result; an interrupt does not end the wait, and the flag is kept. */
    public T await() {
        boolean interrupted = false;
        while (!isDone()) {
            blocker.await(this);
            interrupted |= !isDone() && Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result();
    }

    /**
     * Waits for the result. An interrupt is told, once, and does not end the wait; the flag is kept.
     */
    public T awaitTelling(Runnable interrupt) {
        boolean interrupted = false;
        while (!isDone()) {
            blocker.await(this);
            if (!isDone() && Thread.interrupted() && !interrupted) {
                interrupted = true;
                interrupt.run();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result();
    }

    /**
     * Waits for the result or an interrupt. If both come at once, the result is returned and the flag is kept.
     *
     * @param withdraw told when the wait was given up
     */
    public T awaitInterruptibly(Runnable withdraw) throws InterruptedException {
        while (!isDone()) {
            blocker.await(this);
            if (!isDone() && Thread.currentThread().isInterrupted()) {
                if (!abandon()) {
                    // The result is settled and about to be told.
                    return await();
                }
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
