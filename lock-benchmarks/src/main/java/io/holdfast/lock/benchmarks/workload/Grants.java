package io.holdfast.lock.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Threads that take a lock and give it back, whatever their calls throw, and note when it is granted. */
final class Grants implements AutoCloseable {

    private static final int CALLERS = 4;
    private static final long LONGEST_WAIT_SECONDS = 2;
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final Lock lock;
    private final List<Long> grantedNanos = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Grants(Lock lock) {
        this.lock = lock;
        for (int caller = 0; caller < CALLERS; caller++) {
            Thread thread = new Thread(this::work, "grants");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void work() {
        try {
            while (!stopped) {
                tryOnce();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryOnce() throws InterruptedException {
        try {
            if (lock.tryLock(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                note(System.nanoTime());
                lock.unlock();
            }
        } catch (RuntimeException outage) {
            // What a call says while no primary is there is of no interest here, but it may say so at once.
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private synchronized void note(long nanos) {
        grantedNanos.add(nanos);
        notifyAll();
    }

    /** When the first grant after this moment was; waits for it. */
    synchronized long awaitAfter(long nanos, Duration longest) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + longest.toNanos();
        int next = 0;
        while (true) {
            for (; next < grantedNanos.size(); next++) {
                if (grantedNanos.get(next) - nanos > 0) {
                    return grantedNanos.get(next);
                }
            }
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                throw new IllegalStateException("no grant of " + lock + " within " + longest);
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(END_MILLIS);
        }
    }
}
