package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.SharedServerCluster;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test on a cluster of three masters, each with a replica. Afterwards nothing is left: at no master a key but token clocks, and
 * after the clients were closed no thread.
 */
@ExtendWith(SharedServerCluster.class)
abstract class ClusterTest {

    /** Longer than a failover takes on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(40);

    /** By a message: a waiter that is not woken looks by itself after 4.5 s at the earliest. */
    static final Duration WOKEN = Duration.ofSeconds(3);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    ServerCluster cluster;

    @BeforeEach
    final void start(ServerCluster shared) {
        cluster = shared;
    }

    /** Has something closed after the test; what was opened last is closed first. */
    final <C extends AutoCloseable> C opening(C closeable) {
        opened.push(closeable);
        return closeable;
    }

    final LockClient connect() {
        return connect(patient().build());
    }

    /** Quick to notice trouble, but patient with a machine on which six servers are busy. */
    static ClientOptions.Builder patient() {
        return Clients.quick().commandTimeout(Duration.ofSeconds(2));
    }

    final LockClient connect(ClientOptions options) {
        return opening(LockClient.connect(cluster.url(), options));
    }

    // --- names and slots ---

    static int slotOf(String name) {
        return ServerCluster.slotOf(Stored.key(name));
    }

    /** The key of the token clock of a lock. */
    String clockOf(String name) {
        return keysIn(slotOf(name)).stream()
                .filter(key -> key.startsWith("holdfast:token:"))
                .findFirst()
                .orElseThrow();
    }

    /** Different names in one slot. */
    static List<String> namesOfOneSlot(int count) {
        List<String> names = new ArrayList<>();
        int slot = slotOf("lock-0");
        for (int i = 0; names.size() < count; i++) {
            if (slotOf("lock-" + i) == slot) {
                names.add("lock-" + i);
            }
        }
        return names;
    }

    /** One lock of each master, under names that stay with their slots. */
    final List<String> oneOfEach() {
        List<String> names = new ArrayList<>();
        Set<RedisServer> seen = new HashSet<>();
        for (int i = 0; seen.size() < cluster.masters().size(); i++) {
            if (seen.add(cluster.masterOf(slotOf("each-" + i)))) {
                names.add("each-" + i);
            }
        }
        return names;
    }

    RedisServer otherThan(RedisServer master) {
        return cluster.masters().stream()
                .filter(other -> other != master)
                .findFirst()
                .orElseThrow();
    }

    List<String> keysIn(int slot) {
        List<String> keys = new ArrayList<>();
        for (RedisServer master : cluster.masters()) {
            try (RawRedis raw = master.connect()) {
                keys.addAll(raw.list("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "100"));
            }
        }
        return keys;
    }

    static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .untilAsserted(assertion);
    }

    @AfterEach
    final void nothingIsLeft() throws Exception {
        cluster.nodes().stream().filter(RedisServer::isAlive).forEach(RedisServer::resume);
        try {
            eventually(() -> {
                for (RedisServer master : cluster.masters()) {
                    if (master.isAlive()) {
                        try (RawRedis raw = master.connect()) {
                            assertThat(Stored.leftovers(raw)).as("keys left").isEmpty();
                        }
                    }
                }
            });
        } finally {
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
        }
        eventually(() -> assertThat(ClientThreads.names()).as("threads left").isEmpty());
    }
}
