package io.holdfast.lock.netty;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The real clock and the real threads of one client: event loops, a timer, and where callbacks run.
 *
 * <p>Threads start with their first work, so an idle client has one per event loop in use, plus the timer's.
 */
final class NettyRuntime implements Runtime {

    private final ServiceThreads ioThreads;
    private final IoLoops loops;
    private final TimerThread timer;
    /** Null where callbacks run on the user's executor. */
    private final @Nullable ForkJoinPool ownCallbacks;

    private final Executor callbacks;
    private final Blocker blocker;
    private final Executor steps;

    private NettyRuntime(String clientName, int ioThreadCount, IoTransport transport, Optional<Executor> callbacks) {
        String prefix = "holdfast-" + clientName;
        this.ioThreads = new ServiceThreads(prefix + "-io-");
        this.loops = IoLoops.open(transport, ioThreadCount, ioThreads);
        this.steps = loops.executor();
        this.timer = new TimerThread(prefix + "-timer");
        this.ownCallbacks = callbacks.isPresent() ? null : CallbackPool.create(prefix + "-callback-");
        this.callbacks = ownCallbacks == null ? callbacks.orElseThrow() : ownCallbacks;
        this.blocker = new ParkingBlocker(this.callbacks);
    }

    /**
     * Prepares the threads of a client.
     *
     * @param callbacks the user's executor; empty for a pool of our own
     * @throws IllegalStateException if the chosen transport is not usable here
     */
    static NettyRuntime start(
            String clientName, int ioThreadCount, IoTransport transport, Optional<Executor> callbacks) {
        return new NettyRuntime(clientName, ioThreadCount, transport, callbacks);
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
    public Blocker blocker() {
        return blocker;
    }

    /** Ends all threads that this runtime started; a user's executor is left alone. Legal on any thread. */
    CompletionStage<Void> close() {
        loops.shutdown();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
        CompletableFuture<Void> timerEnded = timer.close().toCompletableFuture();
        return CompletableFuture.allOf(timerEnded, ioThreads.ended().toCompletableFuture());
    }
}
