package io.holdfast.lock.netty.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A race of the addresses of one server, as in RFC 8305: the first that is connected wins, and the others are closed.
 *
 * <p>An address that swallows packets says neither yes nor no. So an address starts when the one before it has failed, or
 * has had its head start, and goes on beside the later ones. Families alternate, since it is mostly one family that has no
 * route.
 *
 * <p>A winner that turns out to be of no use is out; {@link #run} then lets the others, the closed ones too, race again.
 * All methods are called on the event loop.
 */
final class AddressRace implements Runnable {

    /** Where the race is run, and the listener that hears how it ends. */
    interface Course {

        /** Begins to connect to an address. */
        ChannelFuture connect(SocketAddress address);

        /** An address is out. */
        void failed(@Nullable Throwable obstacle);

        void won(Channel channel, SocketAddress address);

        /** All addresses are out. */
        void lost();
    }

    private static final long LONGEST_HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final EventLoop loop;
    private final Course course;
    private final long headStartNanos;
    private final Deque<SocketAddress> waiting;
    private final List<Runner> running = new ArrayList<>();
    private @Nullable ScheduledFuture<?> nextStart;

    /** @param budgetNanos what there is for all addresses: each gets a chance within it */
    AddressRace(EventLoop loop, List<? extends SocketAddress> addresses, long budgetNanos, Course course) {
        this.loop = loop;
        this.course = course;
        this.headStartNanos = Math.min(LONGEST_HEAD_START_NANOS, budgetNanos / addresses.size());
        this.waiting = new ArrayDeque<>(alternating(addresses));
    }

    /** The same addresses, by turns of either family while there are both; the family of the first comes first. */
    static List<SocketAddress> alternating(List<? extends SocketAddress> addresses) {
        Deque<SocketAddress> first = new ArrayDeque<>();
        Deque<SocketAddress> second = new ArrayDeque<>();
        boolean firstIsOld = isOldFamily(addresses.get(0));
        for (SocketAddress address : addresses) {
            (isOldFamily(address) == firstIsOld ? first : second).add(address);
        }
        List<SocketAddress> inTurn = new ArrayList<>(addresses.size());
        while (!first.isEmpty() || !second.isEmpty()) {
            if (!first.isEmpty()) {
                inTurn.add(first.remove());
            }
            if (!second.isEmpty()) {
                inTurn.add(second.remove());
            }
        }
        return inTurn;
    }

    private static boolean isOldFamily(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address;
    }

    /** Starts the next address, if one waits. */
    @Override
    public void run() {
        cancelNextStart();
        SocketAddress address = waiting.poll();
        if (address == null) {
            return;
        }
        if (!waiting.isEmpty()) {
            nextStart = loop.schedule(this, headStartNanos, TimeUnit.NANOSECONDS);
        }
        Runner runner = new Runner(address);
        running.add(runner);
        runner.start();
    }

    /** How many addresses have neither failed nor won. */
    int left() {
        return waiting.size() + running.size();
    }

    /** Ends the race without a winner, and without a word. */
    void stop() {
        cancelNextStart();
        waiting.clear();
        closeRunning();
    }

    private void end(Runner runner, ChannelFuture result) {
        if (!running.remove(runner)) {
            result.channel().close();
        } else if (result.channel().isActive()) {
            cancelNextStart();
            for (int i = running.size() - 1; i >= 0; i--) {
                waiting.addFirst(running.get(i).address);
            }
            closeRunning();
            course.won(result.channel(), runner.address);
        } else {
            course.failed(result.cause());
            goOn();
        }
    }

    private void goOn() {
        if (!waiting.isEmpty()) {
            run();
        } else if (running.isEmpty()) {
            course.lost();
        }
    }

    private void closeRunning() {
        List<Runner> losers = List.copyOf(running);
        // Forgotten before they are closed: closing tells them that they have failed.
        running.clear();
        losers.forEach(Runner::close);
    }

    private void cancelNextStart() {
        if (nextStart != null) {
            nextStart.cancel(false);
            nextStart = null;
        }
    }

    /** One address, while it is being connected. */
    private final class Runner implements ChannelFutureListener {

        private final SocketAddress address;
        private @Nullable Channel channel;

        Runner(SocketAddress address) {
            this.address = address;
        }

        void start() {
            ChannelFuture connecting = course.connect(address);
            channel = connecting.channel();
            connecting.addListener(this);
        }

        void close() {
            if (channel != null) {
                channel.close();
            }
        }

        @Override
        public void operationComplete(ChannelFuture result) {
            end(this, result);
        }
    }
}
