package io.holdfast.cli;

import io.holdfast.cli.serve.Look;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Looks at all locks of a store, for the page. A lock that nobody touched looks the same in two looks. */
final class StoreLooks implements Supplier<Look> {

    private static final long MOST_KEYS = 1_000_000;
    /** The end of a lease is known as well as a request is fast. */
    private static final Duration SAME_END = Duration.ofMillis(1_500);

    private final LockClient client;
    private Map<String, Map<String, Object>> last = Map.of();
    private Map<String, Instant> ends = Map.of();

    StoreLooks(LockClient client) {
        this.client = client;
    }

    @Override
    public Look get() {
        String trouble = "";
        Map<String, Map<String, Object>> locks = new LinkedHashMap<>();
        Map<String, Instant> now = new LinkedHashMap<>();
        try (Stream<LockInfo> all = client.locks(LockQuery.all().withMaxKeys(MOST_KEYS))) {
            all.forEach(lock -> locks.put(lock.name(), row(lock, now)));
            last = locks;
            ends = now;
        } catch (RuntimeException refused) {
            trouble = String.valueOf(refused.getMessage());
        }
        List<Map<String, Object>> nodes =
                client.connections().stream().map(StoreLooks::node).toList();
        return new Look(last, nodes, trouble);
    }

    private Map<String, Object> row(LockInfo lock, Map<String, Instant> now) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", lock.name());
        row.put("mode", LockView.mode(lock));
        row.put("holder", LockView.holders(lock));
        row.put(
                "since",
                lock.holders().stream()
                        .flatMap(holder -> holder.since().stream())
                        .min(Instant::compareTo));
        row.put("ends", lock.timeToLive().map(left -> {
            Instant end = Instant.now().plus(left);
            Instant before = ends.getOrDefault(lock.name(), Instant.EPOCH);
            boolean same = Duration.between(before, end).abs().compareTo(SAME_END) < 0;
            now.put(lock.name(), same ? before : end);
            return now.get(lock.name());
        }));
        row.put("waiters", LockView.waiters(lock));
        return row;
    }

    private static Map<String, Object> node(ConnectionInfo connection) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("node", connection.node());
        node.put("purpose", connection.purpose());
        node.put("up", connection.up());
        return node;
    }
}
