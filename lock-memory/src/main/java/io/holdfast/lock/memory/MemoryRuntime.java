package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that a store's clients share, and its clock: from its first client to its last. */
final class MemoryRuntime implements Runtime, Blocker {

    private static final Logger log = LoggerFactory.getLogger(MemoryRuntime.class);

    private static final String PREFIX = "holdfast-memory-";

    private final StoreClock clock;
    private final StoreThread thread;
    private final CallbackThreads callbacks = new CallbackThreads(PREFIX + "callback-");
    private final CallbackThreads losses = new CallbackThreads(PREFIX + "loss-");
    private final CallbackThreads elections = new CallbackThreads(PREFIX + "election-");

    MemoryRuntime(StoreClock clock) {
        this.clock = clock;
        this.thread = new StoreThread(clock, PREFIX + "timer-1");
    }

    void advance(long nanos) {
        thread.advance(nanos);
    }

    /** Ends all threads. Legal on any of them. */
    CompletionStage<Void> close() {
        callbacks.close();
        losses.close();
        elections.close();
        return thread.close();
    }

    // --- time and threads ---

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        return thread.after(delayNanos, step);
    }

    @Override
    public long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public Executor steps() {
        return thread;
    }

    @Override
    public Executor callbacks() {
        return callbacks;
    }

    @Override
    public Executor losses() {
        return losses;
    }

    @Override
    public Executor elections() {
        return elections;
    }

    @Override
    public Blocker blocker() {
        return this;
    }

    @Override
    public Instant timeOfDay() {
        return clock.timeOfDay();
    }

    // --- waiting ---

    @Override
    public boolean mayWait() {
        return !StoreThread.isCurrent();
    }

    @Override
    public boolean mayWaitForOthers() {
        return CallbackThreads.mayWaitForOthers();
    }

    /** Another thread of a fork-join pool works meanwhile, where the pool has one. */
    @Override
    public void await(Awaited awaited) {
        if (ended(awaited)) {
            return;
        }
        try {
            ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
                @Override
                public boolean block() {
                    park(awaited);
                    return true;
                }

                @Override
                public boolean isReleasable() {
                    return ended(awaited);
                }
            });
        } catch (InterruptedException | RuntimeException | Error noReplacement) {
            // The pool can't start a thread in place of this one. The wait goes on without.
            log.debug("a wait without a replacement", noReplacement);
            park(awaited);
        }
    }

    private void park(Awaited awaited) {
        while (!ended(awaited)) {
            LockSupport.park(this);
        }
    }

    private static boolean ended(Awaited awaited) {
        return awaited.isDone() || Thread.currentThread().isInterrupted();
    }

    @Override
    public void unblock(Thread waiting) {
        LockSupport.unpark(waiting);
    }
}
