package io.holdfast.lock.tests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a local port that is not Redis. */
public final class Impostor implements AutoCloseable {

    private final ServerSocket listener;
    private final Conversation conversation;
    private final AtomicInteger open = new AtomicInteger();

    private interface Conversation {
        void hold(InputStream in, OutputStream out) throws IOException;
    }

    private Impostor(Conversation conversation) throws IOException {
        this.conversation = conversation;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Sends these bytes when it has been sent something, and hangs up. */
    public static Impostor answering(byte[] bytes) throws IOException {
        return new Impostor((in, out) -> {
            if (in.read() >= 0) {
                out.write(bytes);
                out.flush();
            }
        });
    }

    /** Sends these bytes at once, and then says no more. */
    public static Impostor greeting(byte[] bytes) throws IOException {
        return new Impostor((in, out) -> {
            out.write(bytes);
            out.flush();
            in.transferTo(OutputStream.nullOutputStream());
        });
    }

    /** Takes everything and says nothing. */
    public static Impostor silent() throws IOException {
        return new Impostor((in, out) -> in.transferTo(OutputStream.nullOutputStream()));
    }

    /** Hangs up on everybody. */
    public static Impostor hangingUp() throws IOException {
        return new Impostor((in, out) -> {});
    }

    public int port() {
        return listener.getLocalPort();
    }

    public int openConnections() {
        return open.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.incrementAndGet();
                start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            conversation.hold(socket.getInputStream(), socket.getOutputStream());
        } catch (IOException hungUp) {
            // The client's end of a conversation that makes no sense to it.
        } finally {
            open.decrementAndGet();
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "impostor");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
