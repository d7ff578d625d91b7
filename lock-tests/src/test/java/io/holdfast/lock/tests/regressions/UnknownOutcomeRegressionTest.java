package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@RedisTest
class UnknownOutcomeRegressionTest {

    /** What a call may take beyond its wait: one command timeout, and what a busy machine adds. */
    private static final Duration BEYOND_WAIT = Clients.COMMAND_TIMEOUT.plusMillis(1_000);

    /** Redisson 4.7.0: a response timeout leaves an orphan: hold count 1, 29 s to live, while the caller failed. */
    @Test
    void anUnansweredAcquireIsUndone(RedisServer redis) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.unlock();
            redis.pause();
            try {
                assertThatThrownBy(lock::tryLock)
                        .isInstanceOf(LockOutcomeUnknownException.class)
                        .hasMessageContaining("job");
                assertThat(lock.isHeldByCurrentThread()).isFalse();
            } finally {
                redis.resume();
            }
            try (RawRedis raw = redis.connect()) {
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> Stored.leftovers(raw).isEmpty());
                await().during(Duration.ofMillis(300))
                        .atMost(Duration.ofSeconds(5))
                        .until(() -> Stored.leftovers(raw).isEmpty());
            }
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
    }

    /** Redisson 4.7.0: {@code tryLock(wait)} takes longer than its wait when the server can't be reached. */
    @Test
    void aWaitIsKeptWhenTheServerIsGone(RedisServer redis) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            redis.kill();
            for (int waitMillis : new int[] {0, 50, 300}) {
                long startNanos = System.nanoTime();
                assertThatThrownBy(() -> lock.tryLock(waitMillis, TimeUnit.MILLISECONDS))
                        .isInstanceOfAny(LockUnavailableException.class, LockOutcomeUnknownException.class)
                        .isInstanceOf(LockException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                        .isLessThan(Duration.ofMillis(waitMillis).plus(BEYOND_WAIT));
            }
        }
    }

    /** Redisson 4.7.0: the same when the server is there but hangs. */
    @Test
    void aWaitIsKeptWhenTheServerHangs(RedisServer redis) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            redis.pause();
            try {
                for (int waitMillis : new int[] {0, 50, 300}) {
                    long startNanos = System.nanoTime();
                    assertThatThrownBy(() -> lock.tryLock(waitMillis, TimeUnit.MILLISECONDS))
                            .isInstanceOfAny(LockUnavailableException.class, LockOutcomeUnknownException.class);
                    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                            .isLessThan(Duration.ofMillis(waitMillis).plus(BEYOND_WAIT));
                }
            } finally {
                redis.resume();
            }
        }
    }
}
