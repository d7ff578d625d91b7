package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases by those who do not hold the lock. */
@RedisTest
class StrangerTest {

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

    @Test
    void aLockThatNobodyHolds(RawRedis raw) {
        long before = raw.calls("evalsha");
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isInstanceOf(LockNotHeldException.class)
                .hasMessageContaining("'job'")
                .hasMessageContaining("thread " + Thread.currentThread().getId());
        assertThatThrownBy(() -> lock.unlockAsync().get()).hasCauseInstanceOf(LockNotHeldException.class);
        assertThatThrownBy(lock::getFencingToken).isInstanceOf(LockNotHeldException.class);
        assertThat(raw.calls("evalsha")).isEqualTo(before);
    }

    @Test
    void aLockOfAHandle(RawRedis raw) throws Exception {
        LockHold hold = lock.acquire();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(LockNotHeldException.class)
                .hasMessageContaining("acquired by handle");
        assertThat(lock.tryLock()).isFalse();
        hold.close();
        hold.close();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }
}
