package io.holdfast.lock.examples.permits;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the processes connect to: it counts its connections itself. Each opens with the number of its process and ends with a zero;
 * both are answered, so that the caller does not go on before it was counted. The connection of a process that was killed ends too.
 */
final class Supplier implements AutoCloseable {

    private final ServerSocket socket;
    private final Set<Closeable> connections = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> openByProcess = new HashMap<>();
    private Course course = new Course();
    private int open;
    private int served;

    private Supplier(ServerSocket socket) {
        this.socket = socket;
    }

    static Supplier start() {
        try {
            Supplier supplier = new Supplier(new ServerSocket(0, 256, InetAddress.getLoopbackAddress()));
            start("supplier", supplier::acceptAll);
            return supplier;
        } catch (IOException noPort) {
            throw new UncheckedIOException("the supplier found no port", noPort);
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    synchronized int open() {
        return open;
    }

    synchronized int openOf(int process) {
        return openByProcess.getOrDefault(process, 0);
    }

    /** Connections that were used to their end. */
    synchronized int served() {
        return served;
    }

    /** Begins to count anew, when nothing is open. */
    synchronized Course begin() {
        served = 0;
        course = new Course();
        return course;
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket accepted = socket.accept();
                connections.add(accepted);
                start("supplier-connection", () -> serve(accepted));
            }
        } catch (IOException closed) {
            // No more connections.
        }
    }

    private void serve(Socket accepted) {
        int process = 0;
        try (accepted) {
            InputStream in = accepted.getInputStream();
            process = Math.max(in.read(), 0);
            count(process, 1);
            accepted.getOutputStream().write(process);
            if (in.read() == 0) {
                count(process, -1);
                process = 0;
                accepted.getOutputStream().write(0);
            }
        } catch (IOException broken) {
            // Its process was killed.
        } finally {
            count(process, -1);
            connections.remove(accepted);
        }
    }

    /** @param process 0 for a connection that is not counted, or not any more */
    private synchronized void count(int process, int change) {
        if (process > 0) {
            open += change;
            served += change < 0 ? 1 : 0;
            openByProcess.merge(process, change, Integer::sum);
            course.add(System.nanoTime(), open);
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closeQuietly(socket);
        connections.forEach(Supplier::closeQuietly);
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyBroken) {
            // It is not used any more.
        }
    }
}
