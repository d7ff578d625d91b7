package io.holdfast.lock.tests.simulation;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a client's cluster, without channels: its tasks are events of the world, one after the other. What happens in
 * the world, and not on a thread of an owner, happens on it.
 */
final class SimulatedLoop extends AbstractEventExecutor implements EventLoop {

    private static final long MOST_LATENESS_NANOS = 60_000;

    private final SimulatedClient client;
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    SimulatedLoop(SimulatedClient client) {
        this.client = client;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return !(thread instanceof SimulatedThread);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        client.world.after(client.network.below(MOST_LATENESS_NANOS), client, () -> tasks.remove()
                .run());
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return new Alarm(this, client.runtime.after(unit.toNanos(delay), task));
    }

    private static final class Alarm extends DefaultPromise<@Nullable Void> implements ScheduledFuture<@Nullable Void> {

        private final io.holdfast.lock.spi.Timer timer;

        Alarm(SimulatedLoop loop, io.holdfast.lock.spi.Timer timer) {
            super(loop);
            this.timer = timer;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            timer.cancel();
            return true;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException("the delay of what is scheduled in a simulated world");
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException("the order of what is scheduled in a simulated world");
        }
    }

    // --- of no use without channels and threads ---

    @Override
    public EventLoopGroup parent() {
        return this;
    }

    @Override
    public EventLoop next() {
        return this;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        throw noChannels();
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        throw noChannels();
    }

    @Deprecated
    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw noChannels();
    }

    private static UnsupportedOperationException noChannels() {
        return new UnsupportedOperationException("a channel in a simulated world");
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return newSucceededFuture(null);
    }

    @Deprecated
    @Override
    public void shutdown() {}

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
