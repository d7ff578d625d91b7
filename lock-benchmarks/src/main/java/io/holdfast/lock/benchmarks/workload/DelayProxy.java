package io.holdfast.lock.benchmarks.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Passes bytes on after a delay, each way, without limiting how much is under way. The test kit's proxy delays too, but
 * it sleeps in whole milliseconds; this one is for delays of a fraction of one, and spends two threads for each
 * direction of each connection on it: one reads and notes when, one waits and writes.
 */
final class DelayProxy implements AutoCloseable {

    private static final int READ_BYTES = 64 * 1024;

    private final String targetHost;
    private final int targetPort;
    private final long delayNanos;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Bytes, and when they may go on; no bytes are the end of the stream. */
    private record Chunk(byte[] bytes, long dueNanos) {}

    /**
     * @param delayNanos one way
     */
    DelayProxy(String targetHost, int targetPort, long delayNanos) {
        this.targetHost = targetHost;
        this.targetPort = targetPort;
        this.delayNanos = delayNanos;
        try {
            listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        } catch (IOException unable) {
            throw new UncheckedIOException("can't listen for connections to delay", unable);
        }
        start("accept", this::accept);
    }

    String host() {
        return listener.getInetAddress().getHostAddress();
    }

    int port() {
        return listener.getLocalPort();
    }

    String url() {
        return "redis://" + host() + ":" + port();
    }

    private void accept() throws IOException {
        while (!closed) {
            Socket client = listener.accept();
            Socket server = new Socket(targetHost, targetPort);
            sockets.add(client);
            sockets.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            connect(client, server);
            connect(server, client);
        }
    }

    private void connect(Socket from, Socket to) throws IOException {
        BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        start("read", () -> {
            byte[] bytes = new byte[READ_BYTES];
            try {
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    underWay.add(new Chunk(Arrays.copyOf(bytes, count), System.nanoTime() + delayNanos));
                }
            } finally {
                underWay.add(new Chunk(new byte[0], System.nanoTime() + delayNanos));
            }
        });
        start("write", () -> {
            try {
                for (Chunk chunk = underWay.take(); chunk.bytes.length > 0; chunk = underWay.take()) {
                    Pause.until(chunk.dueNanos);
                    out.write(chunk.bytes);
                }
            } finally {
                drop(from);
                drop(to);
            }
        });
    }

    private void drop(Socket socket) throws IOException {
        sockets.remove(socket);
        socket.close();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** A broken connection ends the thread: either side breaks connections when it is done. */
    private void start(String what, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException broken) {
                        Thread.currentThread().setName("ended: " + broken.getMessage());
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                "delay-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException unable) {
            throw new UncheckedIOException("can't close " + url(), unable);
        }
    }
}
