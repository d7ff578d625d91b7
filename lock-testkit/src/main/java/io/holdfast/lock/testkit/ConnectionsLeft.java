package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The connections that a server has when no test should use it any more. */
final class ConnectionsLeft {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private ConnectionsLeft() {}

    /** Waits until the server has no connection but the one that asks; fails if it keeps any. */
    static void awaitNone(RedisServer server) {
        awaitNone(server, PATIENCE);
    }

    static void awaitNone(RedisServer server, Duration patience) {
        // Tests may have left it dead, paused or locked.
        server.reset();
        long beginNanos = System.nanoTime();
        try (RawRedis connection = server.connect()) {
            String own = Long.toString(connection.integer("CLIENT", "ID"));
            List<Map<String, String>> others = others(connection, own);
            while (!others.isEmpty() && System.nanoTime() - beginNanos < patience.toNanos()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY.toMillis()));
                others = others(connection, own);
            }
            if (!others.isEmpty()) {
                throw new AssertionError(server + ": connections left after the tests: " + others.size()
                        + " (expected: none)\n"
                        + String.join("\n", others.stream().map(String::valueOf).toList()));
            }
        }
    }

    private static List<Map<String, String>> others(RawRedis connection, String own) {
        return connection.clients().stream()
                .filter(client -> !own.equals(client.get("id")))
                .toList();
    }
}
