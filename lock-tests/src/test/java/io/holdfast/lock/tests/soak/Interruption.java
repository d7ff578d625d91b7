package io.holdfast.lock.tests.soak;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An interrupt of the thread that made this, some time later, unless it is closed before; never after that. */
final class Interruption implements AutoCloseable {

    private final Thread thread = Thread.currentThread();
    private boolean over;

    private Interruption() {}

    static Interruption in(long millis, ScheduledExecutorService timers) {
        Interruption interruption = new Interruption();
        timers.schedule(interruption::come, millis, TimeUnit.MILLISECONDS);
        return interruption;
    }

    private synchronized void come() {
        if (!over) {
            thread.interrupt();
        }
    }

    /** Also clears the thread's flag. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
