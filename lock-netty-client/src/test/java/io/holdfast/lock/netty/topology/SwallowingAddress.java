package io.holdfast.lock.netty.topology;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * An address that says neither yes nor no to a client that wants to connect: its backlog is full, so that the operating system
 * drops what asks for more.
 */
public final class SwallowingAddress implements AutoCloseable {

    private static final int MOST_IN_BACKLOG = 100;

    private final ServerSocket listening;
    private final List<Socket> inBacklog = new ArrayList<>();

    private SwallowingAddress(ServerSocket listening) {
        this.listening = listening;
    }

    /** Swallows at this port, or at any that is free if it is 0. */
    public static SwallowingAddress at(InetAddress address, int port) throws IOException {
        SwallowingAddress swallowing = new SwallowingAddress(new ServerSocket(port, 1, address));
        swallowing.fill();
        return swallowing;
    }

    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : inBacklog) {
            socket.close();
        }
        listening.close();
    }

    private void fill() throws IOException {
        while (inBacklog.size() < MOST_IN_BACKLOG) {
            Socket socket = new Socket();
            inBacklog.add(socket);
            try {
                socket.connect(new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort()), 200);
            } catch (SocketTimeoutException full) {
                return;
            }
        }
        throw new IllegalStateException("this system accepts connections that nobody takes");
    }
}
