package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ProxyRule.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** One proxied connection: two sockets and the two flows between them. Its state belongs to the loop's thread. */
final class ProxyLink implements FaultProxy.Link, ProxyLoop.Ready {
    private final ProxyLoop loop;
    private final int number;
    private final SocketChannel client;
    private final SocketChannel server;
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final ProxyFlow requests;
    private final ProxyFlow replies;
    private boolean connected;
    private boolean requestsEnded;
    private boolean repliesEnded;
    private boolean open = true;

    ProxyLink(ProxyLoop loop, int number, SocketChannel client, ProxyRule requestRule, ProxyRule replyRule)
            throws IOException {
        this.loop = loop;
        this.number = number;
        this.client = client;
        this.server = SocketChannel.open();
        this.clientKey = loop.register(client, this);
        this.serverKey = loop.register(server, this);
        CopiedRequests copies = new CopiedRequests();
        this.requests = new ProxyFlow(number, requestRule, copies.requests());
        this.replies = new ProxyFlow(number, replyRule, copies.replies());
    }

    /** Starts to connect to the server; if that is refused, the client is refused as well. */
    void connect(InetSocketAddress address) {
        try {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = server.connect(address);
        } catch (IOException e) {
            reset();
        }
    }

    @Override
    public void ready(SelectionKey key, long nowNanos) {
        try {
            if (key.isConnectable()) {
                connected = server.finishConnect();
            }
            if (key.isReadable()) {
                (key == clientKey ? requests : replies).readFrom((SocketChannel) key.channel(), nowNanos);
            }
        } catch (IOException e) {
            reset();
        }
    }

    /** Moves what can be moved; returns how long until that changes without the sockets' doing. */
    long advance(long nowNanos) {
        if (!open) {
            return Long.MAX_VALUE;
        }
        try {
            if (connected) {
                requests.writeTo(server, nowNanos);
                if (requests.isFinished() && !requestsEnded) {
                    requestsEnded = true;
                    server.shutdownOutput();
                }
            }
            if (client.isOpen()) {
                replies.writeTo(client, nowNanos);
                if (replies.isFinished() && !repliesEnded) {
                    repliesEnded = true;
                    client.shutdownOutput();
                }
            }
        } catch (IOException e) {
            reset();
            return Long.MAX_VALUE;
        }
        if ((requestsEnded && repliesEnded) || requests.isCut() || replies.isCut()) {
            finish();
            return Long.MAX_VALUE;
        }
        updateInterest(nowNanos);
        return Math.min(requests.nanosUntilDue(nowNanos), replies.nanosUntilDue(nowNanos));
    }

    private void updateInterest(long nowNanos) {
        if (clientKey.isValid()) {
            clientKey.interestOps(interest(requests, replies.isBlocked(nowNanos)));
        }
        serverKey.interestOps(connected ? interest(replies, requests.isBlocked(nowNanos)) : SelectionKey.OP_CONNECT);
    }

    private static int interest(ProxyFlow outOf, boolean blockedInto) {
        return (outOf.wantsToRead() ? SelectionKey.OP_READ : 0) | (blockedInto ? SelectionKey.OP_WRITE : 0);
    }

    void changeRequests(UnaryOperator<ProxyRule> change) {
        requests.apply(change.apply(requests.rule()));
    }

    void changeReplies(UnaryOperator<ProxyRule> change) {
        replies.apply(change.apply(replies.rule()));
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int port() {
        return loop.call(() -> server.isOpen() ? server.socket().getLocalPort() : 0);
    }

    @Override
    public boolean isOpen() {
        return loop.call(() -> open);
    }

    @Override
    public void swallowRequests() {
        loop.run(() -> changeRequests(rule -> rule.with(Mode.SWALLOW)));
    }

    @Override
    public void swallowReplies() {
        loop.run(() -> changeReplies(rule -> rule.with(Mode.SWALLOW)));
    }

    @Override
    public void holdRequests() {
        loop.run(() -> changeRequests(rule -> rule.with(Mode.HOLD)));
    }

    @Override
    public void holdReplies() {
        loop.run(() -> changeReplies(rule -> rule.with(Mode.HOLD)));
    }

    @Override
    public void delayRequests(Duration delay) {
        loop.run(() -> changeRequests(rule -> rule.with(delay)));
    }

    @Override
    public void delayReplies(Duration delay) {
        loop.run(() -> changeReplies(rule -> rule.with(delay)));
    }

    @Override
    public void onRequest(FrameRule rule) {
        loop.run(() -> changeRequests(before -> before.with(rule)));
    }

    @Override
    public void onReply(FrameRule rule) {
        loop.run(() -> changeReplies(before -> before.with(rule)));
    }

    @Override
    public void heal() {
        loop.run(() -> {
            if (requests.isLossy() || replies.isLossy() || !client.isOpen()) {
                reset();
            }
            changeRequests(rule -> ProxyRule.HEALTHY);
            changeReplies(rule -> ProxyRule.HEALTHY);
        });
    }

    @Override
    public void cut() {
        loop.run(this::reset);
    }

    @Override
    public void cutClient() {
        loop.run(() -> {
            changeReplies(rule -> rule.with(Mode.SWALLOW));
            abort(client);
            loop.release(client);
        });
    }

    @Override
    public void end() {
        loop.run(this::finish);
    }

    @Override
    public Traffic traffic() {
        return loop.call(() ->
                new Traffic(requests.forwarded(), requests.swallowed(), replies.forwarded(), replies.swallowed()));
    }

    @Override
    public void awaitClosed() {
        loop.await(() -> !open, FaultProxy.PATIENCE, () -> this + " is still open");
    }

    @Override
    public String toString() {
        return "connection " + number;
    }

    /** Ends both sides so that their peers see "connection reset". */
    private void reset() {
        if (open) {
            abort(client);
            abort(server);
            finish();
        }
    }

    /** Closes both sides; their peers see the end of the stream. */
    private void finish() {
        open = false;
        loop.release(client, server);
    }

    /** A socket that doesn't linger sends a reset when it is closed. */
    private void abort(SocketChannel channel) {
        try {
            if (channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't reset " + this, e);
        }
    }
}
