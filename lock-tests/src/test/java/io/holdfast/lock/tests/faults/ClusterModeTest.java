package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server in cluster mode that is the only one of its cluster: some services sell that as one server. */
@RedisTest(mode = ServerMode.CLUSTER)
@Tag("quiet")
class ClusterModeTest {

    private static final int LOCKS = 300;
    private static final Duration LEASE = Duration.ofMillis(1_500);

    @ParameterizedTest
    @EnumSource(KeyScheme.class)
    @Tag("proof")
    void noneOfManyWatchedLocksIsLost(KeyScheme scheme, RedisServer redis, RawRedis raw) throws Exception {
        Recorder recorder = new Recorder();
        LockOptions options = LockOptions.builder()
                .keyScheme(scheme)
                .watchdogLease(LEASE)
                .listener(recorder)
                .build();
        try (LockClient client = LockClient.connect(redis.url())) {
            List<CompletableFuture<LockHold>> acquires = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                acquires.add(client.getLock("job-" + i, options).acquireAsync().toCompletableFuture());
            }
            CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
            raw.command("CONFIG", "RESETSTAT");
            await().during(LEASE.multipliedBy(5)).atMost(LEASE.multipliedBy(8)).until(() -> recorder.lost()
                    .isEmpty());
            assertThat(Stored.leftovers(raw)).hasSize(LOCKS);
            assertThat(recorder.renewalsFailed()).isEmpty();
            assertThat(raw.calls("evalsha"))
                    .as("script calls: about one for each lock and third of a lease")
                    .isBetween(LOCKS * 10L, LOCKS * 30L);
        }
    }

    @Test
    void aWaiterIsWokenByTheMessageOfAnotherClient(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient holder = Clients.connect(redis.url());
                LockClient client = Clients.connect(redis.url())) {
            LockHold hold = holder.getLock("job").acquire();
            RFuture<LockHold> waiter = client.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") + Stored.shardSubscribers(raw, "job") == 1);
            raw.command("CONFIG", "RESETSTAT");
            hold.close();
            waiter.get(2, TimeUnit.SECONDS).close();
            assertThat(raw.calls("evalsha")).as("release, acquire, release").isLessThanOrEqualTo(4);
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }
}
