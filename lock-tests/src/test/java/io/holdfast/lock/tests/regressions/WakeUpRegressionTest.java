package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@RedisTest
class WakeUpRegressionTest {

    /** Redisson 4.7.0: the pub/sub connection dies while a waiter waits, and the waiter sleeps the lease out: 19 s. */
    @Test
    void aWaiterWhosePubSubConnectionDiedIsGrantedWithinASecond(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            LockHold hold =
                    holder.getLock("job").withLease(Duration.ofSeconds(20)).acquire();
            RFuture<LockHold> waiter = other.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") == 1);

            assertThat(raw.integer("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1);
            hold.close();

            waiter.get(1, TimeUnit.SECONDS).close();
        }
    }

    /** Redisson 4.7.0: beyond 250 contended names a client fails: "unable to acquire subscription lock". */
    @Tag("proof")
    @Test
    void aClientWaitsForAnyNumberOfNames(RedisServer redis, RawRedis raw) throws Exception {
        int names = 1_000;
        try (LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            List<RFuture<LockHold>> holds = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                holds.add(holder.getLock("job-" + i)
                        .withLease(Duration.ofSeconds(60))
                        .acquireAsync());
            }
            for (RFuture<LockHold> hold : holds) {
                hold.get(10, TimeUnit.SECONDS);
            }
            List<RFuture<LockHold>> waiters = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                waiters.add(other.getLock("job-" + i).acquireAsync());
            }
            await().until(() -> raw.list("PUBSUB", "CHANNELS", "holdfast:*").size() == names);
            assertThat(waiters).noneMatch(RFuture::isDone);

            for (RFuture<LockHold> hold : holds) {
                hold.get().releaseAsync();
            }
            for (RFuture<LockHold> waiter : waiters) {
                waiter.get(4, TimeUnit.SECONDS).releaseAsync();
            }
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }
}
