package io.holdfast.lock.netty;

import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for code of users: daemons that come when there is work and leave when there is none.
 *
 * <p>As many as there are processors work at a time, and tasks begin in the order in which they came. Code of users may
 * wait for anything, so the pool makes up for threads that wait: at once for one that waits in a blocking call of this
 * library, and for all others when a task has waited for a while. Then it looks again and again, and adds a thread for each
 * that has ended no task since the last look: where all are blocked, their number doubles. It has {@value #MOST_THREADS}
 * threads at most. When all are busy, tasks wait, and {@link #hasThreadsLeft} says so.
 */
final class CallbackPool implements Executor {

    static final int MOST_THREADS = 256;

    private static final Logger log = LoggerFactory.getLogger(CallbackPool.class);
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final String threadNamePrefix;
    private final TimerThread timer;
    private final long lateNanos;
    private final long idleNanos;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicLong brought = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    /** Threads that have ended a task since the present look was planned. */
    private final AtomicInteger moving = new AtomicInteger();
    /** The number of the look that was planned last. */
    private volatile int lookNumber;

    /** Whether a task that comes now needs nothing done: all places are taken, and a look is planned. */
    private volatile boolean saturated;

    // What follows is guarded by this.

    /** Threads without a task; the one that came last has the next, so that the others can leave. */
    private final Deque<CallbackThread> idle = new ArrayDeque<>();
    /** Threads that have not ended. */
    private int threads;
    /** Those among them that wait in a blocking call of this library. */
    private int waiting;
    /** How many others may be busy at a time. */
    private int places = AT_ONCE;

    private boolean lookPlanned;
    private boolean closed;
    private boolean warned;
    private int made;

    /** @param late how long a task waits before the pool looks whether its threads are blocked */
    CallbackPool(String threadNamePrefix, TimerThread timer, Duration late) {
        this(threadNamePrefix, timer, late, IDLE);
    }

    /** @param idle how long a thread waits for a task before it leaves */
    CallbackPool(String threadNamePrefix, TimerThread timer, Duration late, Duration idle) {
        this.threadNamePrefix = threadNamePrefix;
        this.timer = timer;
        this.lateNanos = late.toNanos();
        this.idleNanos = idle.toNanos();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        brought.incrementAndGet();
        if (!saturated) {
            seeToTasks();
        }
    }

    private synchronized void seeToTasks() {
        if (!putToWork()) {
            planLook();
        }
        saturated = isSaturated();
    }

    private boolean isSaturated() {
        return lookPlanned && busy() >= places;
    }

    /** The client is closed: threads leave as soon as they have no task. Tasks that come now still run. */
    synchronized void close() {
        closed = true;
        places = MOST_THREADS;
        saturated = false;
        idle.forEach(LockSupport::unpark);
    }

    /** Whether a thread is left for what comes next. */
    synchronized boolean hasThreadsLeft() {
        return threads - idle.size() < MOST_THREADS;
    }

    /** The calling thread, one of this pool's, waits in a blocking call of this library. */
    private synchronized void waits() {
        waiting++;
        saturated = false;
        if (!tasks.isEmpty()) {
            putToWork();
        }
    }

    private synchronized void goesOn() {
        waiting--;
    }

    /** Threads with a task, but for those in a blocking call of this library. */
    private int busy() {
        return threads - idle.size() - waiting;
    }

    /** Puts one more thread to work, unless enough are. */
    private boolean putToWork() {
        if (busy() >= places) {
            return false;
        }
        CallbackThread rested = idle.pollLast();
        if (rested != null) {
            LockSupport.unpark(rested);
            return true;
        }
        return threads < MOST_THREADS && startThread();
    }

    private boolean startThread() {
        threads++;
        try {
            new CallbackThread(threadNamePrefix + ++made).start();
            return true;
        } catch (RuntimeException | Error noThread) {
            // The operating system has none, now. The task waits for one that is busy, or for the next look.
            threads--;
            return false;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under this object's lock
    private void planLook() {
        if (!lookPlanned) {
            lookPlanned = true;
            lookNumber++;
            moving.set(0);
            long due = brought.get();
            timer.after(lateNanos, () -> look(due));
        }
    }

    /**
     * Whether the pool keeps up: tasks that waited at the last look should have begun.
     *
     * @param due how many should have begun by now
     */
    synchronized void look(long due) {
        lookPlanned = false;
        saturated = false;
        if (tasks.isEmpty()) {
            return;
        }
        long begunNow = begun.get();
        if (begunNow < due) {
            // A task that has only begun is no progress: it may block like those before it.
            int more = Math.max(1, busy() - moving.get());
            places = Math.min(MOST_THREADS, busy() + more);
            for (long i = Math.min(more, brought.get() - begunNow); i > 0 && putToWork(); i--) {}
        }
        planLook();
        warnIfExhausted();
    }

    private void warnIfExhausted() {
        if (!warned && !hasThreadsLeft()) {
            warned = true;
            log.warn(
                    "all {} threads {}... are busy with callbacks: others wait, and blocking calls that wait for others"
                            + " are refused there",
                    MOST_THREADS,
                    Printable.of(threadNamePrefix));
        }
    }

    /** The next task of a thread, for which it may have to wait; null if it is to end. */
    private @Nullable Runnable next(CallbackThread thread) {
        // A flag that code of users left behind is none of the next task's, and would keep the thread awake.
        Thread.interrupted();
        Runnable task = tasks.poll();
        if (task == null) {
            task = nextOrRest(thread);
        }
        if (task != null) {
            begun.incrementAndGet();
        }
        return task;
    }

    private @Nullable Runnable nextOrRest(CallbackThread thread) {
        long restsSinceNanos = System.nanoTime();
        while (true) {
            Thread.interrupted();
            long leftNanos = restsSinceNanos + idleNanos - System.nanoTime();
            synchronized (this) {
                idle.remove(thread);
                // A task that was brought while this still said true is found by the poll after it.
                saturated = false;
                Runnable task = tasks.poll();
                if (task != null || closed || leftNanos <= 0) {
                    return task;
                }
                // One place more than there are busy threads left, so that the next task finds one.
                places = Math.min(places, Math.max(AT_ONCE, busy()));
                idle.addLast(thread);
            }
            LockSupport.parkNanos(this, leftNanos);
        }
    }

    private synchronized void ended(CallbackThread thread) {
        idle.remove(thread);
        threads--;
        saturated = false;
        if (!tasks.isEmpty() && !putToWork()) {
            planLook();
        }
    }

    /** One thread of the pool. */
    final class CallbackThread extends Thread {

        /** The look before which it has ended its last task. */
        private int movedBefore;

        private CallbackThread(String name) {
            super(name);
            setDaemon(true);
            setContextClassLoader(CallbackPool.class.getClassLoader());
        }

        @Override
        public void run() {
            try {
                for (Runnable task = next(this); task != null; task = next(this)) {
                    runCallback(task);
                    moves();
                }
            } finally {
                ended(this);
            }
        }

        private void moves() {
            int next = lookNumber;
            if (movedBefore != next) {
                movedBefore = next;
                moving.incrementAndGet();
            }
        }

        /** Whether it may wait for what others have to give back: not if no thread is left to run these. */
        boolean mayWaitForOthers() {
            return hasThreadsLeft();
        }

        /** Waits in a blocking call of this library; another thread works meanwhile. */
        void await(Runnable wait) {
            waits();
            try {
                wait.run();
            } finally {
                goesOn();
            }
        }
    }

    /** Runs code of users on a thread that must survive it. */
    static void runCallback(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error bug) {
            log.error(
                    "A callback failed on {}",
                    Printable.of(Thread.currentThread().getName()),
                    bug);
        }
    }
}
