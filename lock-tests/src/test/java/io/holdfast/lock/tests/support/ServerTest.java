package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A test against real servers, one unless the class asks for more, which also checks that nothing is left behind on any:
 * no key but token clocks and counters, fenced values, records, word of turns and markers, and after the clients were closed no connection, no subscription
 * and no thread.
 */
@RedisTest
public abstract class ServerTest {

    static final Duration SETTLED = Duration.ofSeconds(5);

    private final List<AutoCloseable> clients = new ArrayList<>();

    /** The servers, pristine at the start of each test. */
    protected List<RedisServer> servers;

    /** A connection to each, beside the clients. */
    protected List<RawRedis> raws;

    /** The server, or the first of several. */
    protected RedisServer redis;

    /** The connection to it. */
    protected RawRedis raw;

    @BeforeEach
    final void open(RedisServers all) {
        look(all);
    }

    /** Begins with servers that were started elsewhere. */
    final void look(List<RedisServer> all) {
        servers = all;
        raws = all.stream().map(RedisServer::connect).toList();
        redis = all.get(0);
        raw = raws.get(0);
    }

    /** A client that is closed after the test, and writes nothing at the store but what its calls do. */
    protected final LockClient connect() {
        return connect(ClientOptions.builder().clientRecord(false).build());
    }

    /** A client with options that is closed after the test. */
    protected final LockClient connect(ClientOptions options) {
        return closing(LockClient.connect(redis.url(), options));
    }

    /** Has a client, or what it needs, closed after the test; the last comes first. */
    protected final <C extends AutoCloseable> C closing(C client) {
        synchronized (clients) {
            clients.add(client);
        }
        return client;
    }

    /** The keys on any living server that are neither token clocks or counters nor fenced values, records, word of turns or markers. */
    protected final List<String> lockKeys() {
        return ofLiving(connection -> connection.list("KEYS", "*")).stream()
                .filter(
                        key -> !key.matches(
                                ".+:(token|fenced|client):\\{.*}|.+:cond-seen:.+|.+}:turns|holdfast:marker|redisson_lock_token:.+"))
                .toList();
    }

    /** What the living servers say, in one list; connections from before a restart would be of no use. */
    private <T> List<T> ofLiving(Function<RawRedis, List<T>> question) {
        List<T> answers = new ArrayList<>();
        for (RedisServer server : servers) {
            if (server.isAlive()) {
                try (RawRedis connection = server.connect()) {
                    answers.addAll(question.apply(connection));
                }
            }
        }
        return answers;
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
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(longest)
                .untilAsserted(assertion);
    }

    @AfterEach
    final void nothingIsLeft() throws Exception {
        try {
            eventually(() -> assertThat(lockKeys()).as("keys left").isEmpty());
        } finally {
            Collections.reverse(clients);
            for (AutoCloseable client : clients) {
                client.close();
            }
        }
        eventually(() -> assertThat(ofLiving(RawRedis::clients))
                .as("connections left")
                .extracting((Map<String, String> client) -> client.get("name"))
                .noneMatch(name -> name.startsWith("holdfast")));
        raws.forEach(RawRedis::close);
        eventually(() -> assertThat(ClientThreads.names()).as("threads left").isEmpty());
    }
}
