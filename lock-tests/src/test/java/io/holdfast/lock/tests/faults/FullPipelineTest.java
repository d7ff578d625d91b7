package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 35 and 36: trouble in the middle of a full pipeline. Each reply must still reach its own request. */
@Tag("proof")
@RedisTest
class FullPipelineTest {

    private static final int REQUESTS = 500;

    /** Row 35. */
    @Test
    void everyAcquireInAKilledPipelineIsAnsweredForItsOwnLock(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient client = LockClient.connect(
                        proxy.url(),
                        Clients.quick().commandTimeout(Duration.ofSeconds(2)).build())) {
            proxy.delayReplies(Duration.ofMillis(20));
            List<RFuture<LockHold>> acquires = acquires(client);
            await().until(() -> Stored.leftovers(raw).size() > REQUESTS / 10);
            killCommandConnection(raw);

            List<LockHold> holds = new ArrayList<>();
            for (RFuture<LockHold> acquire : acquires) {
                holds.add(acquire.get(10, TimeUnit.SECONDS));
            }
            assertEachIsItsOwn(holds, raw);
            release(holds);
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }

    /** Row 36. */
    @Test
    void cancelsInterruptsAndTimeoutsMoveNoReplyToAnotherRequest(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient client = LockClient.connect(
                        proxy.url(),
                        Clients.quick()
                                .commandTimeout(Duration.ofSeconds(1))
                                .heartbeat(Duration.ofSeconds(10))
                                .build())) {
            client.getLock("scripts").acquire().close();
            proxy.holdReplies();
            List<RFuture<LockHold>> acquires = acquires(client);
            List<Background<Boolean>> threads = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String name = "thread-" + i;
                threads.add(Background.call(() -> client.getLock(name).tryLock(10, TimeUnit.MILLISECONDS)));
            }
            await().until(() -> Stored.leftovers(raw).size() >= REQUESTS);
            for (int i = 0; i < REQUESTS; i += 3) {
                acquires.get(i).cancel(true);
                acquires.get(i + 1).toCompletableFuture().orTimeout(1, TimeUnit.MILLISECONDS);
            }
            for (int i = 0; i < threads.size(); i += 2) {
                threads.get(i).interrupt();
            }
            for (Background<Boolean> thread : threads) {
                await().until(thread::isDone);
            }
            proxy.heal();

            List<LockHold> holds = new ArrayList<>();
            for (RFuture<LockHold> acquire : acquires) {
                try {
                    holds.add(acquire.get(10, TimeUnit.SECONDS));
                } catch (CancellationException | ExecutionException givenUp) {
                    assertThat(acquire.isDone()).isTrue();
                }
            }
            assertThat(holds).hasSizeBetween(REQUESTS / 3 - 1, REQUESTS - REQUESTS / 3);
            assertEachIsItsOwn(holds, raw);
            release(holds);
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }

    private static List<RFuture<LockHold>> acquires(LockClient client) {
        List<RFuture<LockHold>> acquires = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            acquires.add(client.getLock("job-" + i).acquireAsync());
        }
        return acquires;
    }

    private static void killCommandConnection(RawRedis raw) {
        String self = Long.toString(raw.integer("CLIENT", "ID"));
        for (Map<String, String> connection : raw.clients()) {
            if (!connection.get("id").equals(self) && "evalsha".equals(connection.get("cmd"))) {
                raw.command("CLIENT", "KILL", "ID", connection.get("id"));
            }
        }
    }

    private static void assertEachIsItsOwn(List<LockHold> holds, RawRedis raw) {
        for (LockHold hold : holds) {
            assertThat(raw.text("HGET", Stored.key(hold.name()), "token"))
                    .as(hold.name())
                    .isEqualTo(Long.toString(hold.fencingToken()));
            assertThat(Stored.holdCount(raw, hold.name())).isEqualTo(1);
        }
    }

    private static void release(List<LockHold> holds) throws Exception {
        List<RFuture<Void>> releases = new ArrayList<>();
        for (LockHold hold : holds) {
            releases.add(hold.releaseAsync());
        }
        for (RFuture<Void> release : releases) {
            release.get(10, TimeUnit.SECONDS);
        }
    }
}
