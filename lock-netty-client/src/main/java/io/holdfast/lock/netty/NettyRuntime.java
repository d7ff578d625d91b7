package io.holdfast.lock.netty;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.credentials.WallClock;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The real clock and the real threads of one client: event loops, a timer, and those on which code of users runs.
 *
 * <p>Threads start with their first work, so an idle client has one per event loop in use, plus the timer's.
 */
final class NettyRuntime implements Runtime {

    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What computes for less than this needs no more threads than there are processors. */
    private static final Duration LATE = Duration.ofMillis(10);
    /** Losses are few, and their owners act without the lock. */
    private static final Duration LATE_LOSS = Duration.ofMillis(2);

    private final ServiceThreads ioThreads;
    private final IoLoops loops;
    private final TimerThread timer;
    private final CallbackPool callbackPool;
    private final CallbackPool lossPool;
    private final CallbackPool electionPool;
    private final Executor callbacks;
    private final Executor elections;
    private final Executor guests;
    private final Blocker blocker;
    private final Executor steps;

    private NettyRuntime(String clientName, int ioThreadCount, IoTransport transport, Optional<Executor> chosen) {
        String prefix = "holdfast-" + clientName;
        this.ioThreads = new ServiceThreads(prefix + "-io-");
        this.loops = IoLoops.open(transport, ioThreadCount, ioThreads);
        this.steps = loops.executor();
        this.timer = new TimerThread(prefix + "-timer");
        this.callbackPool = new CallbackPool(prefix + "-callback-", timer, LATE);
        this.lossPool = new CallbackPool(prefix + "-loss-", timer, LATE_LOSS);
        this.electionPool = new CallbackPool(prefix + "-election-", timer, LATE);
        this.callbacks = VirtualThreads.named(prefix + "-callback-").orElse(callbackPool);
        this.elections = VirtualThreads.named(prefix + "-election-").orElse(electionPool);
        this.guests = new GuestThreads(prefix + "-connect-");
        this.blocker = new ParkingBlocker(chosen);
    }

    /**
     * Prepares the threads of a client.
     *
     * @param chosen where the user wants callbacks to run; empty for threads of our own
     * @throws IllegalStateException if the chosen transport is not usable here
     */
    static NettyRuntime start(String clientName, int ioThreadCount, IoTransport transport, Optional<Executor> chosen) {
        return new NettyRuntime(clientName, ioThreadCount, transport, chosen);
    }

    IoLoops loops() {
        return loops;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        return timer.after(delayNanos, step);
    }

    @Override
    public long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public Executor steps() {
        return steps;
    }

    @Override
    public Executor callbacks() {
        return callbacks;
    }

    @Override
    public Executor losses() {
        return lossPool;
    }

    @Override
    public Executor elections() {
        return elections;
    }

    /** Threads for code of users that connections need: they never wait for {@link #callbacks}. */
    Executor guests() {
        return guests;
    }

    @Override
    public long gatheringNanos() {
        return GATHERING_NANOS;
    }

    @Override
    public Blocker blocker() {
        return blocker;
    }

    @Override
    public Instant timeOfDay() {
        return WallClock.SYSTEM.now();
    }

    /** Ends all threads that this runtime started; a user's executor is left alone. Legal on any thread. */
    CompletionStage<Void> close() {
        loops.shutdown();
        callbackPool.close();
        lossPool.close();
        electionPool.close();
        CompletableFuture<Void> timerEnded = timer.close().toCompletableFuture();
        return CompletableFuture.allOf(timerEnded, ioThreads.ended().toCompletableFuture());
    }
}
