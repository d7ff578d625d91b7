package io.holdfast.lock.netty;

import io.holdfast.lock.spi.Blocker;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits by spinning for a moment, then by parking.
 *
 * <p>A server next door answers sooner than a thread falls asleep and wakes up, so a short spin saves the larger part
 * of a round trip. It costs a processor, though: with many callers spinning, the thread that reads the replies would
 * get none. So one thread in this client may spin at a time, and none on a machine with a single processor; and it
 * gives way at every turn to whoever has something to do, the servers of the same machine among them. If it gets its
 * processor back late, others need it more, and nobody spins for a while.
 */
final class ParkingBlocker implements Blocker {

    private static final long SPIN_NANOS = 200_000;
    /** Giving way takes longer than this only if somebody else wanted the processor. */
    private static final long CROWDED_NANOS = 500_000;

    private static final long CROWDED_PAUSE_NANOS = 10_000_000;
    private static final boolean MAY_SPIN = Runtime.getRuntime().availableProcessors() > 1;

    private final Executor callbacks;
    private final AtomicBoolean spinning = new AtomicBoolean();
    /** Until when nobody spins. Belongs to the one that spins. */
    private long crowdedUntilNanos = System.nanoTime();

    /**
     * @param callbacks where callbacks run: if that is an event loop, its threads may not wait either
     */
    ParkingBlocker(Executor callbacks) {
        this.callbacks = callbacks;
    }

    @Override
    public boolean mayWait() {
        return !ServiceThreads.onServiceThread() && !onCallersEventLoop();
    }

    @Override
    public void await(BooleanSupplier done) {
        if (ended(done) || spin(done)) {
            return;
        }
        if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
            parkManaged(done);
        } else {
            while (!ended(done)) {
                LockSupport.park(this);
            }
        }
    }

    @Override
    public void unblock(Thread thread) {
        LockSupport.unpark(thread);
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // the yield is a courtesy; nothing depends on what the scheduler makes of it
    private boolean spin(BooleanSupplier done) {
        if (!MAY_SPIN || !spinning.compareAndSet(false, true)) {
            return false;
        }
        try {
            long start = System.nanoTime();
            long now = start;
            while (now - crowdedUntilNanos >= 0 && now - start < SPIN_NANOS) {
                long before = now;
                Thread.yield();
                if (ended(done)) {
                    return true;
                }
                now = System.nanoTime();
                if (now - before > CROWDED_NANOS) {
                    crowdedUntilNanos = now + CROWDED_PAUSE_NANOS;
                }
            }
            return false;
        } finally {
            spinning.set(false);
        }
    }

    private void parkManaged(BooleanSupplier done) {
        try {
            ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
                @Override
                public boolean block() {
                    if (!ended(done)) {
                        LockSupport.park(ParkingBlocker.this);
                    }
                    return ended(done);
                }

                @Override
                public boolean isReleasable() {
                    return ended(done);
                }
            });
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean ended(BooleanSupplier done) {
        return done.getAsBoolean() || Thread.currentThread().isInterrupted();
    }

    private boolean onCallersEventLoop() {
        if (callbacks instanceof EventExecutorGroup group) {
            for (EventExecutor executor : group) {
                if (executor.inEventLoop()) {
                    return true;
                }
            }
        }
        return false;
    }
}
