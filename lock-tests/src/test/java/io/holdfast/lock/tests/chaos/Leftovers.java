package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.ClientThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What must be gone when a row is over: keys within a lease, then connections and threads. */
final class Leftovers {

    /** The longest lease of the rows, and some time for a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private static final Duration SOON = Duration.ofSeconds(5);

    /** Token clocks, fenced values and markers stay for good. */
    private static final Pattern LASTING =
            Pattern.compile(".+:(token|fenced|client):\\{.*}|holdfast:marker|.+}:turns|redisson_lock_token:.+");

    private final Stage stage;

    Leftovers(Stage stage) {
        this.stage = stage;
    }

    void checkKeys(List<RedisServer> servers) throws InterruptedException {
        expectNone("HC", "keys", LEASE, () -> lockKeys(servers));
    }

    void checkConnections(List<RedisServer> servers) throws InterruptedException {
        expectNone("LV", "connections", SOON, () -> connections(servers));
    }

    void checkThreads() throws InterruptedException {
        expectNone("LV", "threads", SOON, () -> ClientThreads.names().stream()
                .filter(name -> !name.startsWith("holdfast-counters") && !name.startsWith("holdfast-fault-proxy"))
                .toList());
    }

    private void expectNone(String check, String what, Duration longest, Supplier<List<String>> left)
            throws InterruptedException {
        try {
            stage.await(what, longest, () -> left.get().isEmpty());
        } catch (AssertionError late) {
            stage.expect(false, check, what + " left: " + left.get());
        }
    }

    static List<String> lockKeys(List<RedisServer> servers) {
        List<String> keys = new ArrayList<>();
        for (RedisServer server : servers) {
            if (server.isAlive()) {
                try (RawRedis raw = server.connect()) {
                    raw.list("KEYS", "*").stream()
                            .filter(key ->
                                    key.contains("{") && !LASTING.matcher(key).matches())
                            .forEach(keys::add);
                }
            }
        }
        return keys;
    }

    private static List<String> connections(List<RedisServer> servers) {
        List<String> names = new ArrayList<>();
        for (RedisServer server : servers) {
            if (server.isAlive()) {
                try (RawRedis raw = server.connect()) {
                    raw.clients().stream()
                            .map((Map<String, String> client) -> client.getOrDefault("name", ""))
                            .filter(name -> name.startsWith("chaos"))
                            .forEach(names::add);
                }
            }
        }
        return names;
    }
}
