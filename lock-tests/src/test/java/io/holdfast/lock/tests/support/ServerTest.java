package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A test against one real server, which also checks that nothing is left behind: no key but token clocks and fenced
 * values, and after the clients were closed no connection, no subscription and no thread.
 */
@RedisTest
public abstract class ServerTest {

    private static final Duration SETTLED = Duration.ofSeconds(5);

    private final List<LockClient> clients = new ArrayList<>();

    /** The server, pristine at the start of each test. */
    protected RedisServer redis;

    /** A connection beside the clients. */
    protected RawRedis raw;

    @BeforeEach
    final void open(RedisServer server) {
        redis = server;
        raw = server.connect();
    }

    /** A client that is closed after the test. */
    protected final LockClient connect() {
        return connect(ClientOptions.defaults());
    }

    /** A client with options that is closed after the test. */
    protected final LockClient connect(ClientOptions options) {
        return closing(LockClient.connect(redis.url(), options));
    }

    /** Has a client closed after the test. */
    protected final LockClient closing(LockClient client) {
        synchronized (clients) {
            clients.add(client);
        }
        return client;
    }

    /** The keys on the server that are neither token clocks nor fenced values. */
    protected final List<String> lockKeys() {
        return raw.list("KEYS", "*").stream()
                .filter(key -> !key.matches(".+:(token|fenced):\\{.*}"))
                .toList();
    }

    /** How many scripts clients have called so far. */
    protected final long scripts() {
        return raw.calls("evalsha");
    }

    /** Waits until the condition of a step holds that others take. */
    protected static void eventually(ThrowingRunnable assertion) {
        eventually(SETTLED, assertion);
    }

    /** Waits as long as that until the condition of a step holds that others take. */
    protected static void eventually(Duration longest, ThrowingRunnable assertion) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(longest)
                .untilAsserted(assertion);
    }

    @AfterEach
    final void nothingIsLeft() {
        try {
            if (redis.isAlive()) {
                eventually(() ->
                        assertThat(lockKeys()).as("keys left on the server").isEmpty());
            }
        } finally {
            clients.forEach(LockClient::close);
        }
        if (redis.isAlive()) {
            eventually(() -> assertThat(raw.clients())
                    .as("connections left")
                    .extracting((Map<String, String> client) -> client.get("name"))
                    .noneMatch(name -> name.startsWith("holdfast")));
        }
        raw.close();
        eventually(() -> assertThat(ClientThreads.names()).as("threads left").isEmpty());
    }
}
