package io.holdfast.lock.netty.guest;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call into code of a user: whatever that does, its caller hears of it.
 *
 * <p>Runs on a thread for code of users, which it interrupts when the answer is of no use any more.
 */
public abstract class GuestCall implements Runnable {

    // What follows is guarded by this.

    private @Nullable Thread inside;
    private boolean cancelled;
    private boolean left;

    /** Runs the call on this executor, now or later. */
    public final void begin(Executor executor) {
        try {
            executor.execute(this);
        } catch (RuntimeException | Error noThread) {
            neverBegan();
            failed(noThread);
        }
    }

    @Override
    public final void run() {
        if (!enter()) {
            return;
        }
        try {
            call();
        } catch (Throwable thrown) {
            // Code of users may throw anything, and the caller must hear of it.
            failed(thrown);
        } finally {
            leave();
        }
    }

    /** Interrupts the code, if it is being called, or does not call it at all. */
    public final synchronized void cancel() {
        cancelled = true;
        if (inside != null) {
            inside.interrupt();
        }
    }

    /** Whether the call has a thread inside the code, or will have one. What the code returned may be unanswered. */
    public final synchronized boolean needsThread() {
        return inside != null || !(cancelled || left);
    }

    /** Calls the code of the user. */
    protected abstract void call();

    /** What the code threw, or why there is no thread to call it on. */
    protected abstract void failed(Throwable thrown);

    private synchronized void neverBegan() {
        left = true;
    }

    private synchronized boolean enter() {
        if (cancelled) {
            return false;
        }
        inside = Thread.currentThread();
        return true;
    }

    private synchronized void leave() {
        inside = null;
        left = true;
        if (cancelled) {
            // The interrupt was for the code.
            Thread.interrupted();
        }
    }
}
