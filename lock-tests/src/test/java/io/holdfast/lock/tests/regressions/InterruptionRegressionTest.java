package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RedisTest
class InterruptionRegressionTest {

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connect(RedisServer redis) {
        client = Clients.connect(redis.url());
        lock = client.getLock("job");
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Redisson 4.7.0: a thread interrupted on entry gets an exception while the lock is taken and renewed for ever. */
    @Test
    void interruptedOnEntryLeavesNoLock(RawRedis raw) {
        for (int round = 0; round < 30; round++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.lockInterruptibly()).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);

            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Redisson 4.7.0: {@code lock()}, too, throws for an interrupted thread and leaves the lock taken. */
    @Test
    void lockOfAnInterruptedThreadIsGrantedAndKeepsTheFlag(RawRedis raw) {
        for (int round = 0; round < 30; round++) {
            Thread.currentThread().interrupt();
            lock.lock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            lock.unlock();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Redisson 4.7.0: an interrupt during {@code lock()} is lost, and a second one throws IllegalStateException. */
    @Test
    void interruptsWhileLockWaitsAreKeptAndEndNothing(RawRedis raw) throws Exception {
        lock.lock();
        Background<Boolean> waiter = Background.call(() -> {
            lock.lock();
            boolean interrupted = Thread.currentThread().isInterrupted();
            lock.unlock();
            return interrupted;
        });
        waiter.awaitParked();
        for (int i = 0; i < 5; i++) {
            waiter.interrupt();
            waiter.awaitParked();
            assertThat(waiter.isDone()).isFalse();
        }
        lock.unlock();

        assertThat(waiter.result()).isTrue();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }
}
