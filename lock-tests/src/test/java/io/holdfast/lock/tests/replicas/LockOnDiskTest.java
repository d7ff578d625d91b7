package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A primary and a replica that keep append-only files, and locks that count when they are in both. Which version they are
 * decides whether they can tell: each test says what happens at one that can, and at one that can't.
 */
class LockOnDiskTest {

    private static final Duration AGES = Duration.ofSeconds(25);

    private ReplicatedPair pair;

    @BeforeEach
    void start() {
        pair = ReplicatedPair.start(1, builder -> builder.aof(true));
        ConfirmedLockTest.awaitOnLine(pair);
    }

    @AfterEach
    void stop() {
        pair.close();
    }

    @Test
    void aGrantedLockOutlivesTheDeathOfAllServers() throws Exception {
        try (LockClient client = onDisk(AGES);
                RawRedis raw = pair.primary().connect()) {
            RLock lock = client.getLock("job");
            if (!knowsDisks()) {
                assertRefused(lock, "the server has no WAITAOF (expected: Redis 7.2 or later, or Valkey;");
                return;
            }
            assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
            assertThat(raw.calls("waitaof")).isEqualTo(1);
            assertThat(raw.calls("wait")).isZero();
            pair.servers().forEach(RedisServer::kill);
            for (RedisServer server : pair.servers()) {
                server.restart();
                try (RawRedis after = server.connect()) {
                    assertThat(Stored.exists(after, "job")).isTrue();
                }
            }
        }
    }

    @Test
    @Tag("proof")
    void aReplicaWithoutAnAppendOnlyFileConfirmsNothing() {
        try (RawRedis raw = pair.replicas().get(0).connect()) {
            raw.command("CONFIG", "SET", "appendonly", "no");
        }
        try (LockClient client = onDisk(Duration.ofMillis(300))) {
            RLock lock = client.getLock("job");
            if (knowsDisks()) {
                assertThatThrownBy(() -> lock.tryLock(20, TimeUnit.SECONDS))
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("0 of 1 replica had it on disk within 300 ms");
                assertNothingIsLeft();
            } else {
                assertRefused(lock, "the server has no WAITAOF");
            }
        }
    }

    @Test
    @Tag("proof")
    void aPrimaryWithoutAnAppendOnlyFileGrantsNothing() {
        try (RawRedis raw = pair.primary().connect()) {
            raw.command("CONFIG", "SET", "appendonly", "no");
        }
        try (LockClient client = onDisk(AGES)) {
            assertRefused(
                    client.getLock("job"),
                    knowsDisks() ? "the server keeps no append-only file" : "the server has no WAITAOF");
        }
    }

    private void assertRefused(RLock lock, String sentence) {
        assertThatThrownBy(() -> lock.tryLock(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.SERVER_ERROR))
                .hasMessageContaining("waitForReplicasOnDisk: " + sentence);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        try (RawRedis raw = pair.primary().connect()) {
            UnconfirmedLockTest.patiently()
                    .untilAsserted(() -> assertThat(Stored.leftovers(raw)).isEmpty());
        }
    }

    private boolean knowsDisks() {
        return pair.primary().version().isAtLeast(7, 2);
    }

    private LockClient onDisk(Duration timeout) {
        return LockClient.connect(
                pair.primary().url(),
                Clients.quick().waitForReplicasOnDisk(1, timeout).build());
    }
}
