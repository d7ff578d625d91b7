package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ProxyRule.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A bad network between clients and a server: a TCP proxy that passes bytes on until it is told to misbehave.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.start();
 *         FaultProxy proxy = FaultProxy.to(redis)) {
 *     LockClient client = LockClient.connect(proxy.url());
 *     proxy.swallowReplies();                          // applied, but unanswered
 *     assertThatThrownBy(() -> lock.tryLock())...
 *     proxy.heal();
 *     proxy.connections().get(0).cut();                // only the first connection
 *     proxy.onAccept(link -> link.delayReplies(Duration.ofMillis(50)));    // from the next one on
 *     proxy.onRequest(request -> request.contains("EVALSHA") ? FrameFate.TWICE : FrameFate.PASS);
 * }
 * }</pre>
 *
 * <p>It knows of the protocol only where messages end; all rules but those for messages apply to bytes. Safe for use by
 * many threads.
 */
public final class FaultProxy implements Faults, AutoCloseable {
    /** How long the await methods wait before they complain. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_PORTS_TRIED = 10;

    private final String scheme;
    private final InetSocketAddress address;
    /** Whether the port goes back to the others when this proxy is closed. */
    private final boolean ownsPort;

    private volatile InetSocketAddress target;
    private final ProxyLoop loop;
    private final ProxyListener listener;
    private final List<ProxyLink> links = new ArrayList<>();
    private ProxyRule requestRule = ProxyRule.HEALTHY;
    private ProxyRule replyRule = ProxyRule.HEALTHY;
    private Consumer<Link> onAccept = link -> {};
    private Traffic earlierTraffic = Traffic.NONE;
    private int acceptedCount;
    private boolean closed;

    /** One connection of a client, and the proxy's own to the server. */
    public interface Link extends Faults {
        /** Counted from 1, in the order in which connections were accepted. */
        int number();

        /** The port from which the server sees it come, as in CLIENT LIST; 0 if it never got there. */
        int port();

        /** Whether the proxy still holds any side of it. */
        boolean isOpen();

        /** Resets both sides: each peer sees "connection reset". */
        void cut();

        /**
         * Resets the client's side only. The server goes on with what it has been sent and knows nothing of the end, as
         * after a client's host has vanished; its replies are lost. {@link #cut()} or {@link #heal()} ends the rest.
         */
        void cutClient();

        /** Closes both sides in the orderly way: each peer sees the end of the stream. */
        void end();

        /** Waits until neither side is open. */
        void awaitClosed();
    }

    private FaultProxy(String scheme, InetSocketAddress address, boolean ownsPort, InetSocketAddress target) {
        this.scheme = scheme;
        this.address = address;
        this.ownsPort = ownsPort;
        this.target = target;
        this.loop = new ProxyLoop("holdfast-fault-proxy-" + address.getPort(), this::advance);
        this.listener = new ProxyListener(loop, address, this::accept);
    }

    /** A proxy in front of a server; it does no harm yet. */
    public static FaultProxy to(RedisServer server) {
        return to(server.scheme(), server.host(), server.port());
    }

    /** A proxy in front of whatever listens, or will listen, there. */
    public static FaultProxy to(String host, int port) {
        return to("redis", host, port);
    }

    static FaultProxy to(String scheme, String host, int port) {
        for (int attempt = 1; ; attempt++) {
            InetSocketAddress address = new InetSocketAddress(FreePorts.address(), FreePorts.take());
            FaultProxy proxy = new FaultProxy(scheme, address, true, new InetSocketAddress(host, port));
            try {
                return proxy.started();
            } catch (UncheckedIOException e) {
                if (attempt == MOST_PORTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    /**
     * A proxy in front of another server, on the port of this one at another address of this machine. A host's name that leads
     * to the one address, and later to the other, is what a failover by DNS looks like to a client.
     *
     * @param host an IP address of the loopback network, such as {@code 127.0.0.2}
     */
    public FaultProxy twin(String host, RedisServer server) {
        InetSocketAddress beside = new InetSocketAddress(host, port());
        if (!beside.getAddress().isLoopbackAddress() || beside.equals(address)) {
            throw new IllegalArgumentException(
                    "host: " + host + " (expected: another address of the loopback network than " + host() + ")");
        }
        return new FaultProxy(server.scheme(), beside, false, new InetSocketAddress(server.host(), server.port()))
                .started();
    }

    /** From now on new connections lead to another server, as if this address had moved to it; those that are open stay. */
    public void lead(RedisServer server) {
        target = new InetSocketAddress(server.host(), server.port());
    }

    private FaultProxy started() {
        loop.start();
        try {
            loop.run(listener::listen);
            return this;
        } catch (UncheckedIOException e) {
            close();
            throw e;
        }
    }

    /** The proxy's own address, such as {@code redis://127.0.0.1:12345}; {@code rediss://} if the server's is. */
    public String url() {
        return scheme + "://" + host() + ":" + port();
    }

    /** The host that clients connect to. */
    public String host() {
        return address.getAddress().getHostAddress();
    }

    /** The port that clients connect to. */
    public int port() {
        return address.getPort();
    }

    @Override
    public void swallowRequests() {
        changeRequests(rule -> rule.with(Mode.SWALLOW));
    }

    @Override
    public void swallowReplies() {
        changeReplies(rule -> rule.with(Mode.SWALLOW));
    }

    @Override
    public void holdRequests() {
        changeRequests(rule -> rule.with(Mode.HOLD));
    }

    @Override
    public void holdReplies() {
        changeReplies(rule -> rule.with(Mode.HOLD));
    }

    @Override
    public void delayRequests(Duration delay) {
        changeRequests(rule -> rule.with(delay));
    }

    @Override
    public void delayReplies(Duration delay) {
        changeReplies(rule -> rule.with(delay));
    }

    @Override
    public void onRequest(FrameRule rule) {
        changeRequests(before -> before.with(rule));
    }

    @Override
    public void onReply(FrameRule rule) {
        changeReplies(before -> before.with(rule));
    }

    /** Resets every connection; new ones are welcome. */
    public void cutAll() {
        loop.run(() -> links.forEach(Link::cut));
    }

    /** Refuses new connections, as if no server listened; present ones go on. */
    public void refuse() {
        loop.run(listener::refuse);
    }

    /** Ends every fault of the proxy and of its connections, and accepts connections again. */
    @Override
    public void heal() {
        loop.run(() -> {
            requestRule = ProxyRule.HEALTHY;
            replyRule = ProxyRule.HEALTHY;
            links.forEach(Link::heal);
            listener.listen();
        });
    }

    /**
     * Sets what is done with each new connection before its first byte passes; it replaces what was set before. It runs
     * on the proxy's thread, so it should only set rules.
     */
    public void onAccept(Consumer<Link> action) {
        loop.run(() -> onAccept = action);
    }

    /** The open connections, in the order in which they were accepted. */
    public List<Link> connections() {
        return loop.call(() -> {
            dropClosed();
            return List.copyOf(links);
        });
    }

    /** How many connections were ever accepted. */
    public int accepted() {
        return loop.call(() -> acceptedCount);
    }

    /** All bytes so far, those of closed connections included. */
    @Override
    public Traffic traffic() {
        return loop.call(() -> links.stream().map(Link::traffic).reduce(earlierTraffic, Traffic::plus));
    }

    /** Waits until exactly so many connections are open, and returns them. */
    public List<Link> awaitConnections(int count) {
        return await(open -> open.size() == count, PATIENCE);
    }

    /** Waits until the traffic is as expected, for example until a reply has been swallowed. */
    public void awaitTraffic(Predicate<Traffic> expected) {
        await(open -> expected.test(traffic()), PATIENCE);
    }

    /**
     * Waits until the open connections are as expected, and returns them.
     *
     * @param expected runs on the proxy's thread after each event
     * @throws IllegalStateException when that takes longer than the limit
     */
    public List<Link> await(Predicate<List<Link>> expected, Duration limit) {
        loop.await(
                () -> expected.test(List.copyOf(links)),
                limit,
                () -> "not met within " + limit.toMillis() + " ms: connections " + links + ", " + traffic());
        return connections();
    }

    /** Closes every connection and the port, and ends the proxy's thread. Does nothing when already closed. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                loop.close();
            } finally {
                listener.close();
                if (ownsPort) {
                    FreePorts.release(port());
                }
            }
        }
    }

    @Override
    public String toString() {
        return url() + " -> " + target;
    }

    private void changeRequests(UnaryOperator<ProxyRule> change) {
        loop.run(() -> {
            requestRule = change.apply(requestRule);
            links.forEach(link -> link.changeRequests(change));
        });
    }

    private void changeReplies(UnaryOperator<ProxyRule> change) {
        loop.run(() -> {
            replyRule = change.apply(replyRule);
            links.forEach(link -> link.changeReplies(change));
        });
    }

    private void accept(SocketChannel client) {
        try {
            ProxyLink link = new ProxyLink(loop, ++acceptedCount, client, requestRule, replyRule);
            links.add(link);
            onAccept.accept(link);
            link.connect(target);
        } catch (IOException e) {
            throw new UncheckedIOException("can't serve a connection to " + this, e);
        }
    }

    private long advance(long nowNanos) {
        long sleepNanos = Long.MAX_VALUE;
        for (ProxyLink link : links) {
            sleepNanos = Math.min(sleepNanos, link.advance(nowNanos));
        }
        dropClosed();
        return sleepNanos;
    }

    private void dropClosed() {
        links.removeIf(link -> {
            boolean gone = !link.isOpen();
            if (gone) {
                earlierTraffic = earlierTraffic.plus(link.traffic());
            }
            return gone;
        });
    }
}
