package io.holdfast.lock.netty.connection;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.text.Printable;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops of a client, over the best transport that is there.
 *
 * <p>This is the only class that knows of native transports. Their jars are optional: each is looked up inside a class
 * of its own, so that a missing one is a {@link LinkageError} caught here and nothing worse.
 *
 * <p>The groups for NIO, epoll and kqueue are those that Netty 4.1 and 4.2 both have; 4.2 calls them deprecated.
 */
@SuppressWarnings("deprecation")
public final class IoLoops {

    private static final Logger log = LoggerFactory.getLogger(IoLoops.class);

    /** How long an event loop may take to close its channels; without load it takes none of this. */
    private static final long SHUTDOWN_SECONDS = 1;

    private final EventLoopGroup group;
    private final Kit kit;

    private IoLoops(EventLoopGroup group, Kit kit) {
        this.group = group;
        this.kit = kit;
    }

    /**
     * Prepares event loops; their threads start with their first work.
     *
     * @throws IllegalStateException if the wanted transport is not usable here
     */
    public static IoLoops open(IoTransport wanted, int threadCount, ThreadFactory threads) {
        NettyFound.requireOne();
        Kit kit = choose(wanted);
        log.debug("I/O over {}", kit.transport());
        return new IoLoops(kit.loops().open(threadCount, threads), kit);
    }

    /** The transport that was chosen. */
    public IoTransport transport() {
        return kit.transport();
    }

    /** Ends all threads without waiting for a quiet period. Legal on any thread. */
    public void shutdown() {
        group.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }

    /** Runs each task on the next loop. */
    public Executor executor() {
        return group;
    }

    /** The loop for a new endpoint: the loops take turns. */
    public EventLoop next() {
        return group.next();
    }

    /** Begins to connect to an address, by a channel that fits its kind. */
    ChannelFuture connect(Bootstrap bootstrap, SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress file) {
            return bootstrap
                    .channelFactory(new ReflectiveChannelFactory<>(kit.fileChannels()))
                    .connect(kit.fileAddress().apply(file));
        }
        return bootstrap
                .channelFactory(new ReflectiveChannelFactory<>(kit.channels()))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .connect(address);
    }

    private static Kit choose(IoTransport wanted) {
        if (wanted != IoTransport.AUTO) {
            return open(wanted);
        }
        for (IoTransport candidate : new IoTransport[] {IoTransport.EPOLL, IoTransport.KQUEUE}) {
            Kit kit = openOrNull(candidate);
            if (kit != null) {
                return kit;
            }
        }
        return open(IoTransport.NIO);
    }

    private static @Nullable Kit openOrNull(IoTransport transport) {
        try {
            return open(transport);
        } catch (IllegalStateException absent) {
            log.trace("{} is not used", transport, absent);
            return null;
        }
    }

    private static Kit open(IoTransport transport) {
        try {
            return switch (transport) {
                case AUTO, NIO ->
                    new Kit(
                            IoTransport.NIO,
                            (count, threads) -> new NioEventLoopGroup(
                                    count, threads, SelectorProvider.provider(), EagerSelect.FACTORY),
                            NioSocketChannel.class,
                            NioDomainSocketChannel.class,
                            file -> file);
                case EPOLL -> EpollKit.open();
                case KQUEUE -> KQueueKit.open();
                case IO_URING -> IoUringKit.open();
            };
        } catch (LinkageError absent) {
            throw new IllegalStateException(unusable(transport) + NettyFound.insteadOf(transport, absent), absent);
        }
    }

    private static void require(IoTransport transport, @Nullable Throwable obstacle) {
        if (obstacle != null) {
            throw new IllegalStateException(unusable(transport) + Printable.message(obstacle), obstacle);
        }
    }

    private static String unusable(IoTransport transport) {
        return "transport " + transport + " can't be used here: ";
    }

    /**
     * What a transport brings.
     *
     * @param channels for TCP
     * @param fileChannels for Unix sockets
     * @param fileAddress the address of a Unix socket, as those channels take it
     */
    private record Kit(
            IoTransport transport,
            Loops loops,
            Class<? extends Channel> channels,
            Class<? extends Channel> fileChannels,
            Function<UnixDomainSocketAddress, SocketAddress> fileAddress) {}

    /** Opens the event loops of a transport. */
    private interface Loops {

        EventLoopGroup open(int count, ThreadFactory threads);
    }

    /** Native transports have an address class of their own. */
    private static final class NativeFile {

        static SocketAddress of(UnixDomainSocketAddress file) {
            return new io.netty.channel.unix.DomainSocketAddress(file.getPath().toString());
        }
    }

    private static final class EpollKit {

        static Kit open() {
            NettyFound.requireOne(io.netty.channel.epoll.Epoll.class, io.netty.channel.unix.UnixChannel.class);
            require(IoTransport.EPOLL, io.netty.channel.epoll.Epoll.unavailabilityCause());
            return new Kit(
                    IoTransport.EPOLL,
                    (count, threads) ->
                            new io.netty.channel.epoll.EpollEventLoopGroup(count, threads, EagerSelect.FACTORY),
                    io.netty.channel.epoll.EpollSocketChannel.class,
                    io.netty.channel.epoll.EpollDomainSocketChannel.class,
                    NativeFile::of);
        }
    }

    private static final class KQueueKit {

        static Kit open() {
            NettyFound.requireOne(io.netty.channel.kqueue.KQueue.class, io.netty.channel.unix.UnixChannel.class);
            require(IoTransport.KQUEUE, io.netty.channel.kqueue.KQueue.unavailabilityCause());
            return new Kit(
                    IoTransport.KQUEUE,
                    (count, threads) -> new io.netty.channel.kqueue.KQueueEventLoopGroup(count, threads),
                    io.netty.channel.kqueue.KQueueSocketChannel.class,
                    io.netty.channel.kqueue.KQueueDomainSocketChannel.class,
                    NativeFile::of);
        }
    }

    private static final class IoUringKit {

        static Kit open() {
            require(IoTransport.IO_URING, io.netty.channel.uring.IoUring.unavailabilityCause());
            return new Kit(
                    IoTransport.IO_URING,
                    (count, threads) -> new io.netty.channel.MultiThreadIoEventLoopGroup(
                            count, threads, io.netty.channel.uring.IoUringIoHandler.newFactory()),
                    io.netty.channel.uring.IoUringSocketChannel.class,
                    io.netty.channel.uring.IoUringDomainSocketChannel.class,
                    NativeFile::of);
        }
    }
}
