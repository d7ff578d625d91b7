package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which a store's messages, timers and long runs of steps go on. It starts with its first work, and no code of
 * users runs there.
 *
 * <p>It has timers of its own, since time may be added: {@link #advance} goes from one timer to the next and lets the thread
 * do what is due, so that leases are renewed as if all of that time had passed.
 */
final class StoreThread implements Executor {

    private static final Logger log = LoggerFactory.getLogger(StoreThread.class);

    private final StoreClock clock;
    private final String name;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition quiet = lock.newCondition();

    // What follows is guarded by the lock.

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final NavigableSet<Due> timers = new TreeSet<>();
    private @Nullable Thread thread;
    private long made;
    private boolean busy;
    private boolean closed;

    StoreThread(StoreClock clock, String name) {
        this.clock = clock;
        this.name = name;
    }

    /** Whether the current thread is one of these, of any store. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof Worker;
    }

    /** Refuses what would wait for the current thread. */
    static void refuseOwn(String method) {
        if (isCurrent()) {
            throw new IllegalStateException(method + ": on "
                    + Printable.of(Thread.currentThread().getName()) + " (expected: a thread that may wait)");
        }
    }

    /** Runs a task soon, in its turn. */
    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException(name + ": closed (expected: a store with an open client)");
            }
            tasks.add(task);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Runs a step after a delay; after {@link #close} steps are forgotten. */
    Timer after(long delayNanos, Runnable step) {
        lock.lock();
        try {
            if (closed) {
                return () -> {};
            }
            Due due = new Due(clock.nanos() + Math.max(0, delayNanos), made++, step);
            timers.add(due);
            wake();
            return due;
        } finally {
            lock.unlock();
        }
    }

    /** Adds to the time, and returns when all is done that became due. Not for this thread itself. */
    void advance(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            awaitQuiet();
            while (left > 0) {
                long step = closed || timers.isEmpty()
                        ? left
                        : Math.min(left, Math.max(0, timers.first().dueNanos - clock.nanos()));
                clock.add(step);
                left -= step;
                work.signal();
                awaitQuiet();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread after the tasks that it has; the stage completes when it has ended. */
    CompletableFuture<Void> close() {
        lock.lock();
        try {
            closed = true;
            timers.clear();
            if (thread == null) {
                ended.complete(null);
            }
            work.signal();
            quiet.signalAll();
        } finally {
            lock.unlock();
        }
        return ended;
    }

    private void wake() {
        if (thread == null) {
            Worker first = new Worker();
            first.start();
            thread = first;
        }
        work.signal();
    }

    private void awaitQuiet() {
        while (!closed && (busy || !tasks.isEmpty() || nothingUntilNanos() <= 0)) {
            quiet.awaitUninterruptibly();
        }
    }

    /** How long it takes until the first timer is due. */
    private long nothingUntilNanos() {
        return timers.isEmpty() ? Long.MAX_VALUE : timers.first().dueNanos - clock.nanos();
    }

    /** What is to be done next, for which it waits; null if the thread is to end. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            busy = false;
            while (true) {
                if (!tasks.isEmpty()) {
                    busy = true;
                    return tasks.poll();
                }
                if (closed) {
                    return null;
                }
                long wait = nothingUntilNanos();
                if (wait <= 0) {
                    busy = true;
                    return timers.pollFirst();
                }
                quiet.signalAll();
                await(wait);
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The caller is the loop.
    private void await(long nanos) {
        try {
            work.awaitNanos(nanos);
        } catch (InterruptedException nobodys) {
            // No part of this library interrupts it, and its work goes on.
            log.debug("{} was interrupted", name);
        }
    }

    /** A step that is due at some time; of two with one time, the earlier one comes first. */
    private final class Due implements Timer, Runnable, Comparable<Due> {

        private final long dueNanos;
        private final long number;
        private final Runnable step;

        Due(long dueNanos, long number, Runnable step) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.step = step;
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                timers.remove(this);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void run() {
            step.run();
        }

        @Override
        public int compareTo(Due other) {
            long later = dueNanos - other.dueNanos;
            return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    private final class Worker extends Thread {

        Worker() {
            super(name);
            setDaemon(true);
            setContextClassLoader(StoreThread.class.getClassLoader());
        }

        @Override
        public void run() {
            try {
                for (Runnable next = next(); next != null; next = next()) {
                    runSafely(next);
                }
            } finally {
                ended.complete(null);
            }
        }

        private void runSafely(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error bug) {
                log.error("A step failed", bug);
            }
        }
    }
}
