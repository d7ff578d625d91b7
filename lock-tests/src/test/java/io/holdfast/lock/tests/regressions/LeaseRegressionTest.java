package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@RedisTest
class LeaseRegressionTest {

    /** Redisson 4.7.0: {@code lock(); lock(2 s); unlock()} ends the renewal while the lock is held once. */
    @Test
    @Tag("proof")
    void renewalOutlivesAnInnerLease(RedisServer redis, RawRedis raw) {
        Duration lease = Duration.ofSeconds(2);
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job", Clients.watchdog(lease));
            lock.lock();
            lock.lock(200, TimeUnit.MILLISECONDS);
            lock.unlock();
            long owner = Thread.currentThread().getId();

            await().during(lease.multipliedBy(3))
                    .atMost(lease.multipliedBy(5))
                    .until(() -> lock.isHeldByThread(owner) && Stored.holdCount(raw, "job") == 1);

            lock.unlock();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Redisson 4.7.0: {@code lock(500 ms)}, expired, then {@code lock()}: the new hold inherits 500 ms. */
    @Test
    void aNewHoldInheritsNoLease(RedisServer redis, RawRedis raw) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock(200, TimeUnit.MILLISECONDS);
            await().until(() -> !Stored.exists(raw, "job"));
            assertThat(lock.isHeldByCurrentThread()).isFalse();

            lock.lock();

            assertThat(Stored.timeToLiveMillis(raw, "job")).isGreaterThan(25_000);
            lock.unlock();
            assertThat(Stored.leftovers(raw)).isEmpty();
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }
    }

    /** Redisson 4.7.0: a lease given to {@code lockAndGetToken} is ignored, and the token changes on re-entry. */
    @Test
    void aTokenComesWithTheLeaseAskedForAndStaysOnReentry(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock(5, TimeUnit.SECONDS);
            long token = lock.getFencingToken();
            assertThat(Stored.timeToLiveMillis(raw, "job")).isBetween(1L, 5_000L);
            lock.lock();
            assertThat(lock.getFencingToken()).isEqualTo(token);
            lock.unlock();
            assertThat(lock.getFencingToken()).isEqualTo(token);
            lock.unlock();

            try (LockHold hold = lock.withLease(Duration.ofSeconds(5)).acquire()) {
                assertThat(Stored.timeToLiveMillis(raw, "job")).isBetween(1L, 5_000L);
                assertThat(hold.fencingToken()).isGreaterThan(token);
            }
        }
    }

    /** Redisson 4.7.0: each lock leaves a token key that never expires; 25 of 75 million keys in one report. */
    @Test
    @Tag("proof")
    void tokensCostOneKeyForEachHashSlotAndNoneForEachLock(RedisServer redis, RawRedis raw) {
        int names = 17_000;
        // A thousand requests at once take their time on a busy machine.
        ClientOptions patient =
                ClientOptions.builder().commandTimeout(Duration.ofSeconds(10)).build();
        try (LockClient client = LockClient.connect(redis.url(), patient)) {
            for (int begin = 0; begin < names; begin += 1_000) {
                List<CompletableFuture<Void>> cycles = new ArrayList<>();
                for (int i = begin; i < begin + 1_000; i++) {
                    cycles.add(client.getLock("order-" + i)
                            .acquireAsync()
                            .thenCompose(LockHold::releaseAsync)
                            .toCompletableFuture());
                }
                CompletableFuture.allOf(cycles.toArray(CompletableFuture[]::new))
                        .join();
            }
            assertThat(Stored.leftovers(raw)).isEmpty();
            assertThat(raw.integer("DBSIZE")).isLessThan(names * 3 / 4);
        }
    }
}
