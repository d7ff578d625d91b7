package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows 1 to 3: the server dies. */
class CrashTest {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration RENEWAL_INTERVAL = LEASE.dividedBy(3);

    /** Row 1. */
    @Test
    void aForgottenLockIsLostWithinARenewalInterval() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LockClient client = Clients.connect(redis.url())) {
            losesWhatTheServerForgot(client, redis, () -> {});
        }
    }

    /** Row 2. */
    @Test
    void lockTokenAndTimeToLiveSurviveACrashWithAof() throws Exception {
        try (RedisServer redis = RedisServer.builder().aof(true).start();
                LockClient client = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            AtomicInteger losses = new AtomicInteger();
            RLock lock = client.getLock("job", Clients.watchdog(LEASE));
            LockHold hold = lock.acquire().onLost(loss -> losses.incrementAndGet());
            long token = hold.fencingToken();

            redis.kill();
            redis.restart();

            try (RawRedis raw = redis.connect()) {
                assertThat(raw.text("HGET", Stored.key("job"), "token")).isEqualTo(Long.toString(token));
                assertThat(Stored.timeToLiveMillis(raw, "job")).isBetween(1L, LEASE.toMillis());
                await().atMost(LEASE)
                        .until(() -> Stored.timeToLiveMillis(raw, "job") > RENEWAL_INTERVAL.toMillis() * 2 + 1_000);
            }
            await().until(() -> !other.getLock("job").tryLock());
            assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
            hold.close();
            assertThat(losses).hasValue(0);
            try (LockHold next = other.getLock("job").acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    /** Row 3. */
    @Test
    void aLockThatAPowerLossCutOffTheFileIsLostWithinARenewalInterval() throws Exception {
        try (RedisServer redis = RedisServer.builder().aof(true).start();
                LockClient client = Clients.connect(redis.url())) {
            losesWhatTheServerForgot(client, redis, () -> redis.cutAof(60));
        }
    }

    private static void losesWhatTheServerForgot(LockClient client, RedisServer redis, Runnable damage)
            throws Exception {
        AtomicInteger losses = new AtomicInteger();
        LockHold watched =
                client.getLock("job", Clients.watchdog(LEASE)).acquire().onLost(loss -> losses.incrementAndGet());
        long token = watched.fencingToken();

        redis.kill();
        damage.run();
        redis.restart();

        await().atMost(RENEWAL_INTERVAL.plusMillis(500)).until(() -> losses.get() == 1);
        assertThat(watched.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(watched::release).isInstanceOf(LockLostException.class);
        try (LockHold next = client.getLock("job").acquire()) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
    }
}
