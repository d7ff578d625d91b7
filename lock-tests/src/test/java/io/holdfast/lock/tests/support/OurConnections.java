package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** The library's connections, as a server or a Sentinel counts them. */
public final class OurConnections {

    /** Longer than a failover takes on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private OurConnections() {}

    /** The names of those that a server or a Sentinel has. */
    public static List<String> at(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return raw.clients().stream()
                    .map(client -> client.getOrDefault("name", ""))
                    .filter(name -> name.startsWith("holdfast"))
                    .toList();
        }
    }

    /**
     * Waits until all clients have left a primary that was replaced. Before, a client that is told late takes locks there, and
     * loses them.
     */
    public static void awaitNoneAt(RedisServer replaced) {
        await().ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(at(replaced)).isEmpty());
    }
}
