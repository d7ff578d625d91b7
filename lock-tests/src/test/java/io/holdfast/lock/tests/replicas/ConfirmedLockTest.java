package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A primary and a replica that are well: what is asked of the replica, and what is not. */
class ConfirmedLockTest {

    private static ReplicatedPair pair;

    @BeforeAll
    static void start() {
        pair = ReplicatedPair.start();
        awaitOnLine(pair);
    }

    static void awaitOnLine(ReplicatedPair pair) {
        try (RawRedis raw = pair.primary().connect()) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            UnconfirmedLockTest.onLine(raw) == pair.replicas().size());
        }
    }

    @AfterAll
    static void stop() {
        pair.close();
    }

    @Test
    void aGrantedLockIsAtTheReplicaAndReleasesAndReentriesDoNotWait() throws Exception {
        try (LockClient client = LockClient.connect(
                        pair.primary().url(),
                        Clients.quick()
                                .waitForReplicas(1, Duration.ofSeconds(10))
                                .build());
                RawRedis primary = pair.primary().connect();
                RawRedis replica = pair.replicas().get(0).connect()) {
            long before = primary.calls("wait");
            RLock lock = client.getLock("confirmed");
            assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Stored.exists(replica, "confirmed")).isTrue();
            assertThat(primary.calls("wait") - before).isEqualTo(1);

            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            lock.unlock();
            assertThat(primary.calls("wait") - before).isEqualTo(1);
            assertThat(primary.integer("PTTL", "holdfast:wait:" + client.id())).isPositive();
        }
    }

    @Test
    void aClientThatDoesNotWantItNeverSaysWait() {
        try (RedisMonitor monitor = RedisMonitor.of(pair.primary())) {
            try (LockClient client = Clients.connect(pair.primary().url())) {
                RLock lock = client.getLock("plain");
                lock.lock();
                lock.unlock();
            }
            List<MonitoredCommand> commands = monitor.everything();
            assertThat(commands)
                    .anySatisfy(command -> assertThat(command.name()).isEqualToIgnoringCase("EVALSHA"));
            assertThat(commands).allSatisfy(command -> {
                assertThat(command.name()).isNotEqualToIgnoringCase("WAIT");
                assertThat(command.words()).noneMatch(word -> word.contains(":wait:"));
            });
        }
    }
}
