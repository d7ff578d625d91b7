package io.holdfast.lock.tests.figures;

import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import java.util.Objects;

/**
 * The library's scripts over blocking sockets and nothing else: what the lock costs without a client library, with one
 * node or with the majority of several. It takes no care of anything, so that it is a floor and no lock.
 */
final class BareLock implements AutoCloseable {

    private static final String KEY = "holdfast:{bare}";
    private static final String CLOCK = "holdfast:token:{bare}";
    private static final String LEASE_MILLIS = "30000";
    private static final long SECOND_MICROS = 1_000_000;

    private final List<RawRedis> nodes;
    private final boolean[] owed;
    private final String acquire;
    private final String release;
    private long fields;

    BareLock(List<RedisServer> servers) {
        nodes = servers.stream().map(RedisServer::connect).toList();
        owed = new boolean[nodes.size()];
        acquire = load(servers.size() == 1 ? "acquire" : "propose");
        release = load("release");
    }

    private String load(String script) {
        String source = Clients.scripts().stream()
                .filter(each -> each.name().equals(script))
                .findFirst()
                .orElseThrow()
                .source();
        return nodes.stream()
                .map(node -> Objects.requireNonNull(node.text("SCRIPT", "LOAD", source)))
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    void lock() {
        String field = "bare:1:" + ++fields;
        if (nodes.size() == 1) {
            ask("EVALSHA", acquire, "2", KEY, CLOCK, field, LEASE_MILLIS, "1");
        } else {
            String proposal = Long.toString(System.currentTimeMillis() * 1_000 + SECOND_MICROS);
            ask("EVALSHA", acquire, "2", KEY, CLOCK, field, LEASE_MILLIS, "1", proposal, "60000000");
        }
    }

    void unlock() {
        ask("EVALSHA", release, "1", KEY, "bare:1:" + fields, "0", KEY + ":free");
    }

    /** Asks all nodes and waits for a majority; the others' answers are read before they are asked again. */
    private void ask(String... words) {
        for (int i = 0; i < owed.length; i++) {
            read(i);
            nodes.get(i).send(words);
            owed[i] = true;
        }
        for (int i = 0; i <= owed.length / 2; i++) {
            read(i);
        }
    }

    private void read(int node) {
        if (owed[node]) {
            owed[node] = false;
            nodes.get(node).receive();
        }
    }

    @Override
    public void close() {
        nodes.forEach(RawRedis::close);
    }
}
