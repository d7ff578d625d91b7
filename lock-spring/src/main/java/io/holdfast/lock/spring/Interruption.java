package io.holdfast.lock.spring;

import org.jspecify.annotations.Nullable;

/** Interrupts the thread of a call whose lock is lost, and never once the call has ended. */
final class Interruption {

    private final Grip grip;
    private final Runnable watcher = this::interrupt;
    /** Null when the call has ended. */
    private @Nullable Thread thread = Thread.currentThread();

    private boolean interrupted;
    private boolean wasInterruptedBefore;

    Interruption(Grip grip) {
        this.grip = grip;
        grip.watch(watcher);
    }

    private synchronized void interrupt() {
        Thread running = thread;
        if (running != null && !interrupted) {
            wasInterruptedBefore = running.isInterrupted();
            interrupted = true;
            running.interrupt();
        }
    }

    /**
     * The call has ended, on its thread: the thread's flag is as if it had not been interrupted here.
     *
     * @return whether it was
     */
    boolean end() {
        grip.unwatch(watcher);
        return ended();
    }

    private synchronized boolean ended() {
        thread = null;
        if (interrupted && !wasInterruptedBefore) {
            boolean cleared = Thread.interrupted();
            return interrupted || cleared;
        }
        return interrupted;
    }
}
