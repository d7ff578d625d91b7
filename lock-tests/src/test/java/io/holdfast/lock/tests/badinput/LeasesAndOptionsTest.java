package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@RedisTest
class LeasesAndOptionsTest {

    @Test
    void aLeaseThatIsTooShort(RedisServer redis, RawRedis raw) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            long before = raw.calls("evalsha");
            List<ThrowingCallable> calls = List.of(
                    () -> lock.lock(9, TimeUnit.MILLISECONDS),
                    () -> lock.lock(0, TimeUnit.SECONDS),
                    () -> lock.lock(-2, TimeUnit.SECONDS),
                    () -> lock.lock(999, TimeUnit.MICROSECONDS),
                    () -> lock.lock(Long.MIN_VALUE, TimeUnit.DAYS),
                    () -> lock.lockInterruptibly(9, TimeUnit.MILLISECONDS),
                    () -> lock.tryLock(1, 9, TimeUnit.MILLISECONDS),
                    () -> lock.lockAsync(9, TimeUnit.MILLISECONDS),
                    () -> lock.tryLockAsync(1, 9, TimeUnit.MILLISECONDS),
                    () -> lock.withLease(Duration.ofMillis(9)).acquire(),
                    () -> lock.withLease(Duration.ZERO).acquire(),
                    () -> lock.withLease(Duration.ofMillis(-1)).acquire(),
                    () -> lock.tryAcquire(Duration.ofSeconds(1), Duration.ofNanos(9_999_999)),
                    () -> lock.withLease(Duration.ofSeconds(Long.MIN_VALUE)).acquireAsync(),
                    () -> lock.tryAcquireAsync(Duration.ofSeconds(1), Duration.ofMillis(9)));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("lease")
                        .hasMessageContaining("10 ms");
            }
            assertThat(Stored.leftovers(raw)).isEmpty();
            assertThat(raw.calls("evalsha")).isEqualTo(before);
        }
    }

    @Test
    void leasesAndWaitsBeyondAllMeasureSaturate(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            assertThat(lock.tryLock(Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.DAYS))
                    .isTrue();
            assertThat(Stored.timeToLiveMillis(raw, "job")).isPositive();
            lock.unlock();
            assertThat(lock.tryLock(Long.MIN_VALUE, -1, TimeUnit.DAYS)).isTrue();
            lock.unlock();
            try (LockHold hold = lock.tryAcquire(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE))
                    .orElseThrow()) {
                assertThat(hold.validFor()).isPositive();
            }
            lock.tryAcquire(Duration.ofSeconds(Long.MIN_VALUE)).orElseThrow().close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake under test
    void missingArguments(RedisServer redis, RawRedis raw) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            List<ThrowingCallable> calls = List.of(
                    () -> lock.lock(1, null),
                    () -> lock.tryLock(1, null),
                    () -> lock.tryLock(1, 1, null),
                    () -> lock.lockAsync(1, null),
                    () -> lock.tryAcquire(null),
                    () -> lock.withLease(null).acquire(),
                    () -> lock.withLease(null).acquireAsync(),
                    () -> client.runLocked("job", null, hold -> {}),
                    () -> client.runLocked("job", Duration.ofSeconds(1), null),
                    () -> LockClient.connect((String) null),
                    () -> LockClient.connect((ClientOptions) null),
                    () -> LockClient.connect(redis.url(), null));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
            }
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }
}
