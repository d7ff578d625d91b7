package io.holdfast.lock.tests.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Thinking time of workers and of those who make trouble. */
final class Pause {

    private Pause() {}

    /** Waits at least so long, whoever unparks the thread. */
    static void millis(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }
}
