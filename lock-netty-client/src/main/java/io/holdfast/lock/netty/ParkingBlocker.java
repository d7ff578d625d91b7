package io.holdfast.lock.netty;

import io.holdfast.lock.netty.CallbackPool.CallbackThread;
import io.holdfast.lock.netty.connection.LookingCredit;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.text.Printable;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits by spinning for a moment, then by parking.
 *
 * <p>A server next door answers sooner than a thread falls asleep and wakes up, so a short spin saves the larger part
 * of a round trip. It costs a processor, though: with many callers spinning, the thread that reads the replies would
 * get none. So two threads of a process may spin at a time, whatever their clients: where a lock is handed over, the one
 * that gives it away and the one that has just got it. None spins on a machine with a single processor, and none that
 * is known to wait for more than an answer, or where answers came later than a thread spins. A spinning thread yields at every turn to threads that have something to
 * do, those of servers on the same machine among them. If it gets its processor back late, others need it more, and no
 * thread spins for a while.
 */
final class ParkingBlocker implements Blocker {

    private static final Logger log = LoggerFactory.getLogger(ParkingBlocker.class);

    private static final long SPIN_NANOS = 200_000;
    /** Giving way takes longer than this only if another thread wanted the processor. */
    private static final long CROWDED_NANOS = 500_000;

    private static final long CROWDED_PAUSE_NANOS = 10_000_000;
    private static final Semaphore SPINNERS = new Semaphore(2);

    /** Until when no thread spins. */
    private static volatile long crowdedUntilNanos = System.nanoTime();

    private final LookingCredit credit = new LookingCredit();
    private final @Nullable Executor chosen;

    /**
     * @param chosen where the user wants callbacks to run: if that is an event loop, its threads may not wait either
     */
    ParkingBlocker(Optional<Executor> chosen) {
        this.chosen = chosen.orElse(null);
    }

    @Override
    public boolean mayWait() {
        return !ServiceThreads.onServiceThread() && !onCallersEventLoop();
    }

    @Override
    public boolean mayWaitForOthers() {
        return !(Thread.currentThread() instanceof CallbackThread callback) || callback.mayWaitForOthers();
    }

    @Override
    public void await(Awaited awaited) {
        if (ended(awaited) || spin(awaited)) {
            return;
        }
        if (Thread.currentThread() instanceof CallbackThread callback) {
            callback.await(() -> park(awaited));
            return;
        }
        // A pool that is being stopped replaces no thread, and in JDK 17 its managed waiting spins.
        if (Thread.currentThread() instanceof ForkJoinWorkerThread worker
                && !worker.getPool().isTerminating()) {
            parkManaged(awaited);
        } else {
            park(awaited);
        }
    }

    private void park(Awaited awaited) {
        while (!ended(awaited)) {
            LockSupport.park(this);
        }
    }

    @Override
    public void unblock(Thread thread) {
        LockSupport.unpark(thread);
    }

    @Override
    @SuppressWarnings(
            "ThreadPriorityCheck") // the yield is a courtesy; nothing depends on what the scheduler makes of it
    public void giveWay() {
        Thread.yield();
    }

    private boolean spin(Awaited awaited) {
        long start = System.nanoTime();
        if (start - crowdedUntilNanos < 0 || !awaited.needsOnlyAnAnswer() || !SPINNERS.tryAcquire()) {
            return false;
        }
        try {
            if (!credit.pays()) {
                return false;
            }
            long now = start;
            while (now - crowdedUntilNanos >= 0 && now - start < SPIN_NANOS && awaited.needsOnlyAnAnswer()) {
                long before = now;
                giveWay();
                if (awaited.isDone()) {
                    credit.found();
                    return true;
                }
                if (ended(awaited)) {
                    return true;
                }
                now = System.nanoTime();
                if (now - before > CROWDED_NANOS) {
                    crowdedUntilNanos = now + CROWDED_PAUSE_NANOS;
                }
            }
            if (now - start >= SPIN_NANOS && awaited.needsOnlyAnAnswer()) {
                credit.foundNothing();
            }
            return false;
        } finally {
            SPINNERS.release();
        }
    }

    private void parkManaged(Awaited awaited) {
        try {
            ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
                @Override
                public boolean block() {
                    if (!ended(awaited)) {
                        LockSupport.park(ParkingBlocker.this);
                    }
                    return ended(awaited);
                }

                @Override
                public boolean isReleasable() {
                    return ended(awaited);
                }
            });
        } catch (InterruptedException | RuntimeException | Error noReplacement) {
            // The pool can't start another thread in place of this one, or is being stopped. That is no reason to leave
            // a wait at the end of which a lock may be handed over.
            log.debug("{} waits without a replacement", Printable.of(Thread.currentThread()), noReplacement);
            park(awaited);
        }
    }

    private static boolean ended(Awaited awaited) {
        return awaited.isDone() || Thread.currentThread().isInterrupted();
    }

    private boolean onCallersEventLoop() {
        if (chosen instanceof EventExecutorGroup group) {
            for (EventExecutor executor : group) {
                if (executor.inEventLoop()) {
                    return true;
                }
            }
        }
        return false;
    }
}
