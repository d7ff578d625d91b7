package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
@RedisTest
class LossRegressionTest {

    private static final Duration LEASE = Duration.ofMillis(1_500);

    /** Redisson 4.7.0: a lost lock is dropped from a map silently; nobody is told. */
    @Test
    void aLossIsToldWithinARenewalInterval(RedisServer redis, RawRedis raw) throws Exception {
        Recorder recorder = new Recorder();
        LockOptions options =
                LockOptions.builder().watchdogLease(LEASE).listener(recorder).build();
        try (LockClient client = Clients.connect(redis.url())) {
            List<LockLoss> told = new CopyOnWriteArrayList<>();
            LockHold hold = client.getLock("job", options).acquire().onLost(told::add);
            long token = hold.fencingToken();

            raw.command("DEL", Stored.key("job"));

            await().atMost(LEASE).until(() -> !told.isEmpty());
            assertThat(told).singleElement().satisfies(loss -> {
                assertThat(loss.reason()).isEqualTo(LossReason.KEY_GONE);
                assertThat(loss.fencingToken()).isEqualTo(token);
                assertThat(loss.name()).isEqualTo("job");
            });
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThatThrownBy(hold::fencingToken).isInstanceOf(LockLostException.class);
            assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
            await().until(() -> recorder.lost().size() == 1);
            await().during(LEASE)
                    .until(() -> told.size() == 1 && recorder.lost().size() == 1);
        }
    }

    /** Redisson 4.7.0: after re-entries and a loss, stale counts of the watchdog let the next owner's lock expire. */
    @Test
    @Tag("proof")
    void theNextOwnerIsRenewedWhateverTheLostOwnerHadCounted(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job", Clients.watchdog(LEASE));
            for (int i = 0; i < 4; i++) {
                lock.lock();
            }
            long owner = Thread.currentThread().getId();
            raw.command("DEL", Stored.key("job"));

            CountDownLatch enough = new CountDownLatch(1);
            Background<Boolean> next = Background.run(() -> {
                lock.lock();
                enough.await();
                lock.unlock();
            });
            await().until(() -> !lock.isHeldByThread(owner) && Stored.exists(raw, "job"));
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
            }
            await().during(LEASE.multipliedBy(3))
                    .atMost(LEASE.multipliedBy(5))
                    .until(() -> Stored.timeToLiveMillis(raw, "job") > 0 && !next.isDone());
            assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
            enough.countDown();

            assertThat(next.result()).isTrue();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }
}
