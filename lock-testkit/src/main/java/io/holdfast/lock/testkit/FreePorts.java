package io.holdfast.lock.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Ports for servers, taken from below the range that operating systems use for outgoing connections.
 *
 * <p>Asking the system for any port (bind to 0) would give one inside that range. While the server is down for a
 * restart, an outgoing connection could take such a port; a client that keeps reconnecting to it can even be connected
 * to itself. A port from here is free when it is chosen, and no process gets it by accident later. Another process may
 * still choose the same one, so a server that can't bind must ask again.
 */
final class FreePorts {
    /** Where everything listens; never the other loopback, whatever this JVM prefers. */
    static final String HOST = "127.0.0.1";

    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 22_000;

    /** How far above its port a node of a cluster is reached by the other nodes; ends below the same range. */
    private static final int BUS_DISTANCE = 10_000;

    private static final Set<Integer> TAKEN_HERE = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port on which no process listens; no other test of this JVM is given it before {@link #release(int)}. */
    static int take() {
        return take(FreePorts::canBind);
    }

    /**
     * The same, for a node of a cluster: the port {@value #BUS_DISTANCE} above is free as well, and no port that is given
     * out here alone.
     */
    static int takeWithBus() {
        return take(FreePorts::isFreeWithBus);
    }

    static boolean isFreeWithBus(int port) {
        return canBind(port) && canBind(busOf(port));
    }

    /** Where the other nodes of a cluster reach the node that has this port. */
    static int busOf(int port) {
        return port + BUS_DISTANCE;
    }

    private static int take(IntPredicate free) {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (TAKEN_HERE.add(port)) {
                if (free.test(port)) {
                    return port;
                }
                TAKEN_HERE.remove(port);
            }
        }
        throw new IllegalStateException("no free port found between " + LOWEST + " and " + HIGHEST);
    }

    static void release(int port) {
        TAKEN_HERE.remove(port);
    }

    /** {@link #HOST} without a look-up. */
    static InetAddress address() {
        try {
            return InetAddress.getByAddress(HOST, new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static boolean canBind(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, address())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
