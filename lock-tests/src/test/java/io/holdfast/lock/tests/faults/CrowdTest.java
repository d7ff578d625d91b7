package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
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

/** Rows 43 and 44: very many waiters, very many watched locks. */
@RedisTest
class CrowdTest {

    /** Row 43: however many wait, a release wakes one of them and the server runs one script for it. */
    @Test
    void aReleaseWakesOneOfTwoThousandWaiters(RedisServer redis, RawRedis raw) throws Exception {
        int waiters = 2_000;
        try (LockClient holder = Clients.connect(redis.url());
                LockClient client = Clients.connect(redis.url())) {
            LockHold hold = holder.getLock("job").acquire();
            List<CompletableFuture<Void>> turns = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                turns.add(client.getLock("job")
                        .acquireAsync()
                        .thenCompose(LockHold::releaseAsync)
                        .toCompletableFuture());
            }
            await().until(() -> client.inspect("job").localWaiters() == waiters);
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            raw.command("CONFIG", "RESETSTAT");
            hold.close();
            CompletableFuture.allOf(turns.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);

            assertThat(raw.calls("evalsha")).isLessThan(waiters * 12 / 10);
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Row 44, in small; the bulk suite has 100,000. */
    @Test
    @Tag("proof")
    void noneOfManyWatchedLocksMissesItsLease(RedisServer redis, RawRedis raw) throws Exception {
        int locks = 5_000;
        Duration lease = Duration.ofSeconds(6);
        Recorder recorder = new Recorder();
        LockOptions options =
                LockOptions.builder().watchdogLease(lease).listener(recorder).build();
        try (LockClient client = LockClient.connect(redis.url())) {
            for (int begin = 0; begin < locks; begin += 500) {
                List<CompletableFuture<LockHold>> acquires = new ArrayList<>();
                for (int i = begin; i < begin + 500; i++) {
                    acquires.add(
                            client.getLock("job-" + i, options).acquireAsync().toCompletableFuture());
                }
                CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new))
                        .get(20, TimeUnit.SECONDS);
            }
            long batches = raw.calls("evalsha");
            await().during(lease.plusSeconds(1)).atMost(lease.multipliedBy(2)).until(() -> recorder.lost()
                    .isEmpty());
            assertThat(Stored.leftovers(raw)).hasSize(locks);
            assertThat(raw.calls("evalsha") - batches).as("batches of renewals").isLessThan(locks / 10);
        }
    }
}
