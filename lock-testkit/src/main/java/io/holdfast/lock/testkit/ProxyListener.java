package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The port of a proxy, open or refusing. Used by the proxy's thread only.
 *
 * <p>To refuse, the listening socket is closed and a socket that never listens is bound in its place: the system then
 * answers "connection refused", and the port can't be lost to another process meanwhile.
 */
final class ProxyListener implements ProxyLoop.Ready {
    private static final int BACKLOG = 1_024;

    private final ProxyLoop loop;
    private final InetSocketAddress address;
    private final Consumer<SocketChannel> accepted;
    private @Nullable ServerSocketChannel listening;
    private @Nullable SocketChannel placeholder;

    ProxyListener(ProxyLoop loop, InetSocketAddress address, Consumer<SocketChannel> accepted) {
        this.loop = loop;
        this.address = address;
        this.accepted = accepted;
    }

    void listen() {
        if (listening != null) {
            return;
        }
        SocketChannel reserved = placeholder;
        try {
            if (reserved != null) {
                placeholder = null;
                reserved.close();
            }
            ServerSocketChannel opened = ServerSocketChannel.open();
            opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            opened.bind(address, BACKLOG);
            loop.register(opened, this).interestOps(SelectionKey.OP_ACCEPT);
            listening = opened;
        } catch (IOException e) {
            throw new UncheckedIOException("can't listen on " + address, e);
        }
    }

    void refuse() {
        ServerSocketChannel open = listening;
        if (open == null) {
            return;
        }
        listening = null;
        loop.release(open);
        try {
            SocketChannel reserved = SocketChannel.open();
            reserved.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            reserved.bind(address);
            placeholder = reserved;
        } catch (IOException e) {
            throw new UncheckedIOException("can't keep " + address + " while it refuses connections", e);
        }
    }

    /** Gives the placeholder back; the listening socket is closed with the loop. */
    void close() {
        SocketChannel reserved = placeholder;
        if (reserved != null) {
            try {
                reserved.close();
            } catch (IOException e) {
                throw new UncheckedIOException("can't give " + address + " back", e);
            }
        }
    }

    @Override
    public void ready(SelectionKey key, long nowNanos) {
        ServerSocketChannel open = listening;
        if (open == null) {
            return;
        }
        try {
            for (SocketChannel client = open.accept(); client != null; client = open.accept()) {
                accepted.accept(client);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't accept on " + address, e);
        }
    }
}
