package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.LibraryLog;
import io.holdfast.lock.tests.support.OurConnections;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A test with a Sentinel group of its own, since a failover leaves another group behind. Afterwards nothing is left: at the
 * primary no key but token clocks, and after the clients were closed no connection at any server or Sentinel, and no thread.
 */
abstract class SentinelTest {

    /** Longer than a failover takes on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(40);

    /** A third of it is longer than any wait here: what is noticed in time was not noticed by a renewal. */
    static final Duration LONG_LEASE = Duration.ofMinutes(10);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    SentinelGroup group;
    LibraryLog log;

    @BeforeEach
    final void start() {
        log = opening(new LibraryLog());
        group = opening(group());
    }

    /** With less patience a Sentinel may find the new primary down too, since it comes to it a second late. */
    SentinelGroup group() {
        return SentinelGroup.builder().downAfter(Duration.ofMillis(1_500)).start();
    }

    /** Has something closed after the test; what was opened last is closed first. */
    final <C extends AutoCloseable> C opening(C closeable) {
        opened.push(closeable);
        return closeable;
    }

    final LockClient connect() {
        return connect(group.url(), options().build());
    }

    final LockClient connect(String url, ClientOptions options) {
        return opening(LockClient.connect(url, options));
    }

    ClientOptions.Builder options() {
        return Clients.quick();
    }

    // --- what the servers have ---

    static boolean has(RedisServer server, String name) {
        return hasKey(server, Stored.key(name));
    }

    static boolean hasKey(RedisServer server, String key) {
        try (RawRedis raw = server.connect()) {
            return raw.integer("EXISTS", key) == 1;
        }
    }

    final void awaitReplicated(String name) {
        awaitKeyAtReplicas(Stored.key(name));
    }

    final void awaitKeyAtReplicas(String key) {
        eventually(() -> assertThat(group.replicas()).allMatch(replica -> hasKey(replica, key)));
    }

    /** As if a primary had died before it could tell its replicas of a lock. */
    final void forgetAtReplicas(String name) {
        forgetKeyAtReplicas(Stored.key(name));
    }

    final void forgetKeyAtReplicas(String key) {
        awaitKeyAtReplicas(key);
        for (RedisServer replica : group.replicas()) {
            try (RawRedis raw = replica.connect()) {
                raw.command("CONFIG", "SET", "replica-read-only", "no");
                raw.command("FLUSHALL");
                raw.command("CONFIG", "SET", "replica-read-only", "yes");
            }
        }
    }

    static List<String> connections(RedisServer node) {
        return OurConnections.at(node);
    }

    static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .untilAsserted(assertion);
    }

    @AfterEach
    final void nothingIsLeft() throws Exception {
        List<RedisServer> nodes = new ArrayList<>(group.servers());
        nodes.addAll(group.sentinels());
        nodes.removeIf(node -> !node.isAlive());
        nodes.forEach(RedisServer::resume);
        try {
            eventually(() -> {
                try (RawRedis raw = group.primary().connect()) {
                    assertThat(Stored.leftovers(raw)).as("keys left").isEmpty();
                }
            });
        } finally {
            while (opened.peek() instanceof LockClient) {
                opened.pop().close();
            }
            try {
                eventually(
                        () -> assertThat(nodes).as("connections left").allSatisfy(node -> assertThat(connections(node))
                                .isEmpty()));
            } finally {
                while (!opened.isEmpty()) {
                    opened.pop().close();
                }
            }
        }
        eventually(() -> assertThat(ClientThreads.names()).as("threads left").isEmpty());
    }
}
