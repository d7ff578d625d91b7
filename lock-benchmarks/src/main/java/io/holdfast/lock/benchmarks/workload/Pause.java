package io.holdfast.lock.benchmarks.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a moment, to within some microseconds: it sleeps most of the time and gives way for the rest. */
final class Pause {

    /** What the system may take to wake a thread up. */
    private static final long WAKE_UP_NANOS = TimeUnit.MICROSECONDS.toNanos(80);

    private Pause() {}

    static void until(long momentNanos) {
        for (long left = momentNanos - System.nanoTime(); left > 0; left = momentNanos - System.nanoTime()) {
            if (left > WAKE_UP_NANOS) {
                LockSupport.parkNanos(left - WAKE_UP_NANOS);
            } else {
                Thread.yield();
            }
        }
    }
}
