package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 46: more calls than the server keeps up with. Those who want locks wait; nobody loses one, and nothing is sent twice. */
@Tag("proof")
@RedisTest
@Tag("quiet")
class OwnLoadTest {

    /** Six times what a command may take, so that it can be renewed on a busy machine as well. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final int HELD = 20;
    private static final int FLOOD = 30_000;
    private static final int UNLOCKS = 3_000;

    /**
     * The queue is so short that nearly all calls wait for room, as do those of KB-66, 250,000 at the queue of the defaults. So
     * many take minutes here, where every write to a buffer is recorded; they were tried by hand.
     */
    @Test
    @Tag("proof")
    void aFloodOfCallsLosesNoHoldAndIsServed(RedisServer redis) {
        ClientOptions options = ClientOptions.builder()
                .queueLimit(500)
                .maxOutage(Duration.ofMinutes(2))
                .build();
        try (LockClient client = LockClient.connect(redis.url(), options)) {
            List<LockHold> held = IntStream.range(0, HELD)
                    .mapToObj(i -> client.getLock("held-" + i, Clients.watchdog(LEASE))
                            .acquireAsync()
                            .toCompletableFuture()
                            .join())
                    .toList();

            long startNanos = System.nanoTime();
            CompletableFuture<?>[] flood = IntStream.range(0, FLOOD)
                    .mapToObj(i -> client.getLock("wanted-" + i)
                            .lockAsync(5, TimeUnit.MINUTES, 1)
                            .toCompletableFuture())
                    .toArray(CompletableFuture[]::new);

            // Made once: each such future hangs on all others until they end.
            CompletableFuture<Void> served = CompletableFuture.allOf(flood);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> served.isDone() && System.nanoTime() - startNanos > LEASE.toNanos());
            assertThat(flood).allMatch(call -> !call.isCompletedExceptionally());
            assertThat(held).allMatch(hold -> hold.state() == HoldState.HELD);
        }
    }

    @Test
    void aServerThatStoodStillIsSentEachReleaseOnce(RedisServer redis, RawRedis raw) throws Exception {
        ClientOptions options =
                ClientOptions.builder().commandTimeout(Duration.ofSeconds(1)).build();
        try (LockClient client = LockClient.connect(redis.url(), options)) {
            List<LockHold> held = IntStream.range(0, UNLOCKS)
                    .mapToObj(i -> client.getLock("held-" + i)
                            .withLease(Duration.ofMinutes(5))
                            .acquireAsync()
                            .toCompletableFuture()
                            .join())
                    .toList();
            long before = raw.calls("evalsha");

            redis.pause();
            List<CompletableFuture<Void>> unlocks = held.stream()
                    .map(hold -> hold.releaseAsync().toCompletableFuture())
                    .toList();
            await().until(() -> unlocks.stream().allMatch(CompletableFuture::isCompletedExceptionally));
            redis.resume();

            await().until(() -> raw.list("KEYS", "holdfast:{held-*").isEmpty());
            client.getLock("another").withLease(Duration.ofMinutes(5)).acquire().close();
            assertThat(raw.calls("evalsha") - before).isEqualTo(UNLOCKS + 2);
        }
    }
}
