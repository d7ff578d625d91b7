package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RSignal;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Latches and signals of real servers in trouble: each count counts once, and no waiter is told what did not happen. */
@RedisTest
class LatchFaultsTest {

    private static final String KEY = "holdfast:{import}:latch";
    private static final int THREADS = 50;
    private static final int COUNTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private FaultProxy proxy;
    private LockClient client;
    private LockClient other;
    private RCountDownLatch latch;
    private RCountDownLatch same;

    @BeforeEach
    void connect(RedisServer redis) {
        proxy = FaultProxy.to(redis);
        client = Clients.connect(proxy.url());
        other = Clients.connect(redis.url());
        latch = client.getCountDownLatch("import");
        same = other.getCountDownLatch("import");
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        proxy.close();
    }

    // --- counts ---

    @Test
    void aCountWhoseAnswerWasLostCountsOnce() {
        latch.trySetCount(5);
        latch.countDown();
        AtomicBoolean lost = loseTheNextAnswer();
        latch.countDown();
        assertThat(lost).isTrue();
        assertThat(same.getCount()).isEqualTo(3);
    }

    @Test
    void theLastCountWhoseAnswerWasLostDoesNotCountInTheNextRound() throws Exception {
        latch.trySetCount(1);
        latch.getCount();
        proxy.swallowReplies();
        Background<Boolean> counting = Background.run(latch::countDown);
        await().until(() -> same.getCount() == 0);
        same.trySetCount(3);
        proxy.heal();
        proxy.cutAll();
        // It can't tell this from a latch that had been set before it asked.
        assertThatThrownBy(counting::result).isInstanceOf(LockOutcomeUnknownException.class);
        assertThat(same.getCount()).isEqualTo(3);
    }

    @Test
    void aSetWhoseAnswerWasLostIsTrue() {
        AtomicBoolean lost = loseTheNextAnswer();
        assertThat(latch.trySetCount(4)).isTrue();
        assertThat(lost).isTrue();
        assertThat(same.getCount()).isEqualTo(4);
    }

    @Test
    void aDeletionWhoseAnswerWasLostIsTrue() {
        latch.trySetCount(4);
        AtomicBoolean lost = loseTheNextAnswer();
        assertThat(latch.delete()).isTrue();
        assertThat(lost).isTrue();
        assertThat(same.getCount()).isZero();
    }

    /** The connection ends in place of the next answer that has three numbers. */
    private AtomicBoolean loseTheNextAnswer() {
        AtomicBoolean lost = new AtomicBoolean();
        proxy.onReply(reply -> reply.text().contains("*3") && lost.compareAndSet(false, true)
                ? FrameFate.cutAfter(0)
                : FrameFate.PASS);
        return lost;
    }

    @Test
    @Tag("proof")
    void manyThreadsCountWhileConnectionsBreak(RedisServer redis) throws Exception {
        // Only breaks are under test here: a busy machine is not to make an answer late, of the count or of a look at
        // it.
        ClientOptions patient = Clients.quick().commandTimeout(PATIENCE).build();
        try (LockClient counting = LockClient.connect(proxy.url(), patient);
                LockClient watching = LockClient.connect(redis.url(), patient)) {
            RCountDownLatch counted = counting.getCountDownLatch("import");
            RCountDownLatch watched = watching.getCountDownLatch("import");
            counted.trySetCount(THREADS * COUNTS);
            Background<Boolean> waiting = Background.call(() -> watched.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            List<Background<Boolean>> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                threads.add(Background.run(() -> {
                    for (int count = 0; count < COUNTS; count++) {
                        counted.countDown();
                        if (count < COUNTS - 1) {
                            assertThat(watched.getCount()).isPositive();
                        }
                    }
                }));
            }
            for (long left = THREADS * COUNTS; left > 100; left -= 100) {
                long below = left;
                await().pollInterval(Duration.ofMillis(1)).atMost(PATIENCE).until(() -> watched.getCount() < below);
                proxy.cutAll();
            }
            for (Background<Boolean> thread : threads) {
                thread.result();
            }
            assertThat(waiting.result()).isTrue();
            assertThat(watched.getCount()).isZero();
        }
    }

    @Test
    void countsWorkWithMemoryFullAndSettingDoesNot(RawRedis raw) throws Exception {
        latch.trySetCount(2);
        Background<Boolean> waiting = Background.call(() -> same.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        RCountDownLatch fresh = other.getCountDownLatch("fresh");
        raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        raw.command("CONFIG", "SET", "maxmemory", "1");
        try {
            latch.countDown();
            latch.countDown();
            assertThat(waiting.result()).isTrue();
            assertThatThrownBy(() -> fresh.trySetCount(1))
                    .isInstanceOfSatisfying(LockServerException.class, full -> assertThat(full.reason())
                            .isEqualTo(FailureReason.OOM));
            assertThat(latch.delete()).isTrue();
        } finally {
            raw.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aNumberGrowsThoughTheClockWasSetBack(RawRedis raw) {
        raw.command("SET", "holdfast:{import}:signal", "9000000000000000");
        assertThat(client.getSignal("import").send()).isEqualTo(9_000_000_000_000_001L);
        assertThat(other.getSignal("import").current()).isEqualTo(9_000_000_000_000_001L);
    }

    // --- waiting ---

    @Test
    void whoOpensALatchTellsThoseWhoWait(RawRedis raw) throws Exception {
        same.trySetCount(1);
        Background<Boolean> waiting = looked(raw, () -> latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertThat(soon(same::countDown, waiting)).isTrue();
    }

    @Test
    void whoDeletesALatchTellsThoseWhoWait(RawRedis raw) throws Exception {
        same.trySetCount(1);
        Background<Boolean> waiting = looked(raw, () -> latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertThatThrownBy(() -> soon(same::delete, waiting)).isInstanceOf(LockLostException.class);
    }

    @Test
    void whoSendsASignalTellsThoseWhoWait(RawRedis raw) throws Exception {
        Background<Boolean> waiting =
                looked(raw, () -> client.getSignal("import").await(0, PATIENCE).isPresent());
        assertThat(soon(() -> other.getSignal("import").send(), waiting)).isTrue();
    }

    /** A call that has looked when it came, and when its subscription was confirmed: only a message or a poll is left. */
    private static Background<Boolean> looked(RawRedis raw, Callable<Boolean> call) {
        long before = raw.calls("evalsha");
        Background<Boolean> waiting = Background.call(call);
        await().until(() -> raw.calls("evalsha") >= before + 2);
        return waiting;
    }

    /** What a call ends with, long before it would look by itself. */
    private static Boolean soon(Runnable news, Background<Boolean> waiting) throws Exception {
        long startNanos = System.nanoTime();
        news.run();
        try {
            return waiting.result();
        } finally {
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void aMessageThatIsLostIsMadeUpForByTheReconnect() throws Exception {
        same.trySetCount(1);
        Background<Boolean> waiting = waiting();
        proxy.onReply(reply -> reply.text().contains("message") ? FrameFate.DROP : FrameFate.PASS);
        same.countDown();
        proxy.cutAll();
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void aServerThatLostItsDataOpensNothing(RedisServer redis) throws Exception {
        same.trySetCount(1);
        Background<Boolean> waiting = waiting();
        redis.kill();
        redis.restart();
        assertThatThrownBy(waiting::result)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("latch 'import'")
                .hasMessageContaining("KEY_GONE");
    }

    @Test
    void anInterruptEndsAWaitAndLeavesNothing(RawRedis raw) throws Exception {
        same.trySetCount(1);
        Background<Boolean> waiting = waiting();
        waiting.interrupt();
        assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
        await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
    }

    @Test
    void anInterruptDoesNotEndACount() throws Exception {
        latch.trySetCount(2);
        Background<Boolean> counting = Background.call(() -> {
            Thread.currentThread().interrupt();
            latch.countDown();
            return Thread.interrupted();
        });
        assertThat(counting.result()).isTrue();
        assertThat(same.getCount()).isEqualTo(1);
    }

    /** A call that waits through the proxy, and hears messages. */
    private Background<Boolean> waiting() {
        Background<Boolean> waiting = Background.call(() -> latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        try (RawRedis raw = RawRedis.connect(proxy.host(), proxy.port())) {
            await().until(() -> !raw.list("PUBSUB", "CHANNELS").isEmpty());
        }
        return waiting;
    }

    // --- bad input ---

    @Test
    void aKeyThatHoldsSomethingElseIsNamed(RawRedis raw) {
        raw.command("SET", KEY, "precious");
        assertWrongType(() -> latch.trySetCount(1), "latch 'import'", "the key holds a string");
        assertWrongType(latch::countDown, "latch 'import'", "the key holds a string");
        assertWrongType(latch::getCount, "latch 'import'", "the key holds a string");
        assertWrongType(latch::await, "latch 'import'", "the key holds a string");
        assertWrongType(latch::delete, "latch 'import'", "the key holds a string");
        assertThat(raw.text("GET", KEY)).isEqualTo("precious");
        raw.command("DEL", KEY);
        raw.command("HSET", KEY, "price", "12");
        assertWrongType(() -> latch.trySetCount(1), "the key holds a hash", "expected: a count-down latch");
        raw.command("HSET", "holdfast:{import}:signal", "price", "12");
        RSignal signal = client.getSignal("import");
        assertWrongType(signal::send, "signal 'import'", "the key holds a hash");
        assertWrongType(signal::current, "signal 'import'", "the key holds a hash");
        assertThat(raw.map("HGETALL", "holdfast:{import}:signal")).containsOnlyKeys("price");
    }

    private static void assertWrongType(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String thing, String what) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(LockServerException.class, wrong -> {
                    assertThat(wrong.reason()).isEqualTo(FailureReason.WRONGTYPE);
                    assertThat(wrong.name()).hasValue("import");
                })
                .hasMessageContaining(thing)
                .hasMessageContaining(what);
    }

    @Test
    void namesAndSchemesThatAreImpossibleAreRefused(RedisServer redis) {
        assertThatThrownBy(() -> client.getCountDownLatch("")).hasMessageContaining("latch name is empty");
        assertThatThrownBy(() -> client.getSignal("x".repeat(1_025))).hasMessageContaining("signal name 'xxx");
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        try (LockClient redisson = LockClient.connect(
                redis.url(), Clients.quick().lockOptions(shared).build())) {
            assertThatThrownBy(() -> redisson.getCountDownLatch("import"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("latch 'import', 127.0.0.1:" + redis.port()
                            + ": with the key scheme REDISSON, Redisson keeps no generations");
            assertThatThrownBy(() -> redisson.getSignal("import"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Redisson has no such object");
        }
        try (LockClient quorum = LockClient.connectQuorum(redis.url())) {
            assertThatThrownBy(() -> quorum.getCountDownLatch("import"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(
                            "latch 'import', 127.0.0.1:" + redis.port() + ": each of these would count for itself")
                    .hasMessageContaining("(expected: a client of one store)");
            assertThatThrownBy(() -> quorum.getSignal("import"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(
                            "signal 'import', 127.0.0.1:" + redis.port() + ": each of these would have numbers");
        }
    }
}
