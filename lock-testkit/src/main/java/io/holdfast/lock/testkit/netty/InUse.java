package io.holdfast.lock.testkit.netty;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What this JVM has in use and test classes have to give back: threads (timers are threads here, or tasks of one), TCP
 * sockets, and Netty's buffers.
 *
 * <p>Buffers are counted by those who follow them, one by one, and not by the memory that Netty has asked the system for:
 * its allocators keep that for later, which is no leak.
 *
 * @param threads alive, but for those that the JDK and the test tools start for the whole JVM
 * @param sockets what leads where, by number; empty on systems that don't show them as Linux does
 * @param buffers not released yet
 */
record InUse(Set<Thread> threads, Map<String, String> sockets, long buffers) {
    /** How the names of threads begin that come with their first use and stay, or go in their own time. */
    private static final List<String> JVM_WIDE = List.of(
            "Attach Listener",
            "Common-Cleaner",
            "CompletableFutureDelayScheduler",
            "ForkJoinPool",
            "JFR ",
            "JNA Cleaner",
            "MasterPoller",
            "ObjectCleanerThread",
            "Read-Poller",
            "VirtualThread-",
            "Write-Poller",
            "awaitility-",
            "globalEventExecutor",
            "holdfast-test-watch",
            "junit-",
            "process reaper",
            "surefire-");

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final List<Path> SOCKET_TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final String SOCKET = "socket:[";
    private static final int LOCAL_ADDRESS = 1;
    private static final int REMOTE_ADDRESS = 2;
    private static final int NUMBER = 9;

    /** What is in use now. */
    static InUse now() {
        try {
            return new InUse(liveThreads(), openSockets(), BufferLeaks.alive());
        } catch (IOException e) {
            throw new UncheckedIOException("can't tell which sockets are open", e);
        }
    }

    /** What is in use here and was not before, in words. */
    List<String> beyond(InUse before) {
        List<String> left = new ArrayList<>();
        threads.stream()
                .filter(thread -> thread.isAlive() && !before.threads.contains(thread))
                .map(thread -> "thread " + thread.getName())
                .sorted()
                .forEach(left::add);
        sockets.entrySet().stream()
                .filter(socket -> !before.sockets.containsKey(socket.getKey()))
                .map(socket -> "socket " + socket.getValue())
                .sorted()
                .forEach(left::add);
        if (buffers > before.buffers) {
            left.add((buffers - before.buffers) + " buffers");
        }
        return left;
    }

    private static Set<Thread> liveThreads() {
        Set<Thread> live = new HashSet<>(Thread.getAllStackTraces().keySet());
        live.removeIf(thread -> JVM_WIDE.stream().anyMatch(thread.getName()::startsWith));
        return live;
    }

    private static Map<String, String> openSockets() throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return Map.of();
        }
        Map<String, String> connections = connections();
        Map<String, String> open = new HashMap<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                String number = socketNumber(descriptor);
                String connection = connections.get(number);
                // Others are not TCP: the JDK has some of its own.
                if (connection != null) {
                    open.put(number, connection);
                }
            }
        }
        return open;
    }

    /** The number of the socket behind a descriptor; empty if it is none, or is closed by now. */
    private static String socketNumber(Path descriptor) throws IOException {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(SOCKET) ? target.substring(SOCKET.length(), target.length() - 1) : "";
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    /** All TCP sockets of the system, those of other processes included. */
    private static Map<String, String> connections() throws IOException {
        Map<String, String> connections = new HashMap<>();
        for (Path table : SOCKET_TABLES) {
            if (Files.isReadable(table)) {
                for (String line : Files.readAllLines(table)) {
                    List<String> fields = List.of(line.trim().split(" +", -1));
                    if (fields.size() > NUMBER) {
                        connections.put(
                                fields.get(NUMBER),
                                port(fields.get(LOCAL_ADDRESS)) + " -> " + port(fields.get(REMOTE_ADDRESS)));
                    }
                }
            }
        }
        return connections;
    }

    /** The port of an address as the system shows it: in hexadecimal, behind a colon. */
    private static String port(String address) {
        String port = address.substring(address.lastIndexOf(':') + 1);
        return port.matches("[0-9A-F]+") ? ":" + Integer.parseInt(port, 16) : port;
    }
}
