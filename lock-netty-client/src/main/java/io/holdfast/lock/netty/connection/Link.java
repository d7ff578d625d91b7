package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to one server: connects, comes back after a loss, and gives up only when it is closed.
 *
 * <p>An attempt has the connect timeout for everything: looking up the host, trying its addresses one after the other,
 * and the handshake. After a failure the next attempt waits, longer each time; where the server's answer shows that
 * trying soon can't help (a wrong password, not a Redis server), it waits the longest delay at once.
 *
 * <p>All methods are called on the event loop.
 */
public final class Link {

    /** Whose link it is. */
    public interface Owner {

        /** A session for the next attempt. */
        Session newSession();

        /** The connection is ready. */
        void up(Session session, ServerIdentity identity);

        /** The connection was lost. */
        void down(Session session, Fault fault);

        /** An attempt to connect has failed. */
        void failed(Fault fault);
    }

    private final EventLoop loop;
    private final IoLoops loops;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Owner owner;
    private final Backoff backoff;
    private final LinkLog log;
    private final boolean forScripts;

    private @Nullable Attempt current;
    private @Nullable ScheduledFuture<?> retry;
    private boolean started;
    private boolean closed;
    /** Null unless something was left of it when it was closed. */
    private @Nullable Runnable afterClose;

    /** Who we are on the latest connection that was ready: the one after it has it killed. */
    private ServerIdentity identity = ServerIdentity.UNKNOWN;

    /**
     * @param purpose what the connection is for, for the log
     */
    public Link(
            EventLoop loop,
            IoLoops loops,
            ConnectionSettings settings,
            Runtime runtime,
            String purpose,
            boolean forScripts,
            Owner owner) {
        this.loop = loop;
        this.loops = loops;
        this.settings = settings;
        this.runtime = runtime;
        this.owner = owner;
        this.forScripts = forScripts;
        this.backoff = new Backoff(runtime, settings.backoffMinNanos(), settings.backoffMaxNanos());
        this.log = new LinkLog(runtime, settings.node(), purpose);
    }

    /** Begins to connect, unless that has happened before. */
    public void start() {
        if (!started && !closed) {
            started = true;
            connect();
        }
    }

    /** Ends the connection and all attempts; runs {@code whenGone} when nothing is left of them. */
    public void close(Runnable whenGone) {
        closed = true;
        if (retry != null) {
            retry.cancel(false);
        }
        if (current == null) {
            whenGone.run();
        } else {
            afterClose = whenGone;
            current.fail(new Fault(Kind.CLOSED, true, settings.node(), "the client was closed"));
        }
    }

    private void connect() {
        retry = null;
        Attempt attempt = new Attempt(owner.newSession());
        current = attempt;
        attempt.start();
    }

    private void retryAfter(Fault fault) {
        if (closed) {
            if (afterClose != null) {
                afterClose.run();
            }
            return;
        }
        long delay = fault.kind().isTransient() ? backoff.next() : backoff.longest();
        log.lost(fault, delay);
        retry = loop.schedule(this::connect, delay, TimeUnit.NANOSECONDS);
    }

    /** One attempt to connect, and the connection that comes of it. */
    private final class Attempt implements Session.Events, HostLookup.Asker, ChannelFutureListener, Runnable {

        private final Session session;
        private @Nullable ScheduledFuture<?> timeout;
        private Iterator<InetAddress> addresses = Collections.emptyIterator();
        private @Nullable Channel channel;
        private @Nullable Fault lastObstacle;
        private boolean ready;
        private long readySinceNanos;

        Attempt(Session session) {
            this.session = session;
        }

        void start() {
            timeout = loop.schedule(this, settings.connectTimeoutNanos(), TimeUnit.NANOSECONDS);
            HostLookup.find(settings.server().host(), settings.clientName(), loop, this);
        }

        @Override
        public void found(List<InetAddress> ofTheHost) {
            addresses = ofTheHost.iterator();
            openNext();
        }

        @Override
        public void unknown(UnknownHostException cause) {
            fail(unreachable("the host is unknown"));
        }

        private void openNext() {
            if (current != this) {
                return;
            }
            if (!addresses.hasNext()) {
                fail(lastObstacle == null ? unreachable("the host has no address") : lastObstacle);
                return;
            }
            Bootstrap bootstrap = new Bootstrap()
                    .group(loop)
                    .channelFactory(loops.channels())
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                            Math.max(1, TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos())))
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .option(ChannelOption.ALLOCATOR, ReusedBuffer.allocator())
                    .option(ChannelOption.RECVBUF_ALLOCATOR, session.reading())
                    .disableResolver()
                    .handler(session.handler(forScripts ? identity : null, this));
            ChannelFuture connecting = bootstrap.connect(
                    new InetSocketAddress(addresses.next(), settings.server().port()));
            channel = connecting.channel();
            connecting.addListener(this);
        }

        /** An address was tried. */
        @Override
        public void operationComplete(ChannelFuture done) {
            if (!done.isSuccess()) {
                lastObstacle = unreachable(Reasons.words(done.cause()));
                openNext();
            }
        }

        /** The time for this attempt is over. */
        @Override
        public void run() {
            String progress = channel != null && channel.isActive() ? "no answer to the handshake" : "no connection";
            fail(unreachable(progress + " within " + TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos())
                    + " ms" + (lastObstacle == null ? "" : ", " + lastObstacle.detail())));
        }

        /** Ends this attempt or connection. A session whose channel was open ends through {@link #ended}. */
        void fail(Fault fault) {
            if (current != this) {
                return;
            }
            if (channel != null && channel.isActive()) {
                session.abort(fault);
                return;
            }
            if (channel != null) {
                channel.close();
            }
            over(fault);
        }

        @Override
        public void ready(Session readySession, ServerIdentity newIdentity) {
            cancelTimeout();
            ready = true;
            readySinceNanos = runtime.nanos();
            identity = newIdentity;
            log.connected(newIdentity.runId());
            owner.up(readySession, newIdentity);
        }

        @Override
        public void ended(Session endedSession, Fault fault) {
            over(fault);
        }

        private void over(Fault fault) {
            if (current != this) {
                return;
            }
            current = null;
            cancelTimeout();
            if (ready) {
                backoff.connectionLived(runtime.nanos() - readySinceNanos);
                owner.down(session, fault);
            } else {
                owner.failed(fault);
            }
            retryAfter(fault);
        }

        private void cancelTimeout() {
            if (timeout != null) {
                timeout.cancel(false);
                timeout = null;
            }
        }

        private Fault unreachable(String detail) {
            return new Fault(Kind.UNREACHABLE, false, settings.node(), detail);
        }
    }
}
