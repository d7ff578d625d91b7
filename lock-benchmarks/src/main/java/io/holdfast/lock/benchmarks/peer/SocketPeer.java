package io.holdfast.lock.benchmarks.peer;

import java.net.URI;
import java.util.List;

/**
 * Blocking sockets that send Holdfast's scripts, tokens included, and nothing else. Each lock object
 * has a connection of its own to each server; with several servers the answers of a majority are waited for.
 */
public final class SocketPeer implements Peer {

    private static final long SECOND_MICROS = 1_000_000;
    private static final byte[] EVALSHA = Wire.ascii("EVALSHA");
    private static final byte[] ONE = Wire.ascii("1");
    private static final byte[] TWO = Wire.ascii("2");
    private static final byte[] FREES = Wire.ascii("0");
    private static final byte[] CLOCK_MARGIN_MICROS = Wire.ascii("60000000");

    private final List<URI> servers;
    private final byte[] acquire;
    private final byte[] release;

    private SocketPeer(List<String> urls) {
        servers = urls.stream().map(URI::create).toList();
        acquire = load(servers.size() == 1 ? "acquire" : "propose");
        release = load("release");
    }

    public static SocketPeer connect(List<String> urls) {
        return new SocketPeer(urls);
    }

    private byte[] load(String script) {
        return servers.stream()
                .map(server -> Wire.ascii(LockScripts.load(server, script)))
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    @Override
    public PeerLock lock(String name, HoldMode mode) {
        return new Lock(name);
    }

    @Override
    public void close() {}

    private final class Lock extends NaiveLock {

        private final Wire[] nodes = servers.stream().map(Wire::new).toArray(Wire[]::new);
        private final boolean[] owed = new boolean[nodes.length];
        private final byte[] lease = Wire.ascii(LEASE);
        private final byte[] keyBytes = Wire.ascii(key);
        private final byte[] clockBytes = Wire.ascii(clock);
        private final byte[] channelBytes = Wire.ascii(channel);
        private byte[] fieldBytes = {};

        Lock(String name) {
            super(name, PeerKind.SOCKET);
        }

        @Override
        public boolean tryLock() {
            nextField();
            fieldBytes = Wire.ascii(field);
            if (nodes.length == 1) {
                return ask(EVALSHA, acquire, TWO, keyBytes, clockBytes, fieldBytes, lease, ONE);
            }
            byte[] proposal = Wire.ascii(Long.toString(System.currentTimeMillis() * 1_000 + SECOND_MICROS));
            return ask(
                    EVALSHA, acquire, TWO, keyBytes, clockBytes, fieldBytes, lease, ONE, proposal, CLOCK_MARGIN_MICROS);
        }

        @Override
        public void unlock() {
            require(ask(EVALSHA, release, ONE, keyBytes, fieldBytes, FREES, channelBytes), this);
        }

        /** Asks all and waits for a majority; what the others owe is read before they are asked again. */
        private boolean ask(byte[]... words) {
            for (int node = 0; node < nodes.length; node++) {
                if (owed[node]) {
                    owed[node] = false;
                    nodes[node].firstOfList();
                }
                nodes[node].append(words);
                nodes[node].flush();
                owed[node] = true;
            }
            boolean done = true;
            for (int node = 0; node <= nodes.length / 2; node++) {
                owed[node] = false;
                done &= nodes[node].firstOfList() == 1;
            }
            return done;
        }

        @Override
        public void close() {
            for (Wire node : nodes) {
                node.close();
            }
        }
    }
}
