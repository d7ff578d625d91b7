package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows 6 to 9: what was done and what was heard of it differ. */
@RedisTest
class LostReplyTest {

    private FaultProxy proxy;
    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connect(RedisServer redis) {
        proxy = FaultProxy.to(redis);
        client = Clients.connect(proxy.url());
        lock = client.getLock("job");
        lock.lock();
        lock.unlock();
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    /** Row 6. */
    @Test
    void anAppliedButUnansweredAcquireIsUnknownAndThenResolved(RawRedis raw) throws Exception {
        proxy.swallowReplies();
        assertThatThrownBy(() -> lock.tryLock(100, TimeUnit.MILLISECONDS))
                .isInstanceOf(LockOutcomeUnknownException.class);
        proxy.heal();

        await().until(() -> Stored.leftovers(raw).isEmpty());
        assertThat(lock.tryLock(2, TimeUnit.SECONDS)).isTrue();
        assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
        lock.unlock();
    }

    /** Row 6, with a connection that breaks: the same call is answered in the end, and counted once. */
    @Test
    void anAcquireWhoseConnectionBrokeIsCountedOnce(RawRedis raw) throws Exception {
        proxy.swallowReplies();
        RFuture<LockHold> acquire = lock.acquireAsync();
        await().until(() -> Stored.exists(raw, "job"));
        proxy.heal();

        LockHold hold = acquire.get(5, TimeUnit.SECONDS);
        assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
        hold.close();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }

    /** Row 7: the first copy waits in the frozen server's socket while its client has moved to a new connection. */
    @Test
    void aCopyOfAnAcquireLeftInTheServersSocketTakesNothing(RedisServer redis) throws Exception {
        redis.pause();
        long before = proxy.traffic().requestsForwarded();
        RFuture<Optional<LockHold>> acquire = lock.tryAcquireAsync(Duration.ofSeconds(10));
        proxy.awaitTraffic(traffic -> traffic.requestsForwarded() > before);
        proxy.connections().get(0).cutClient();
        redis.resume();

        acquire.get(10, TimeUnit.SECONDS).orElseThrow().close();
        try (RawRedis raw = redis.connect()) {
            await().during(Duration.ofMillis(500))
                    .until(() -> Stored.leftovers(raw).isEmpty());
        }
    }

    /** Row 7: the first copy is still on its way when the lock was granted to the second and released again. */
    @Test
    void aCopyOfAnAcquireThatArrivesAfterTheReleaseTakesNothing(RawRedis raw) throws Exception {
        FaultProxy.Link first = proxy.connections().get(0);
        first.holdRequests();
        RFuture<Optional<LockHold>> acquire = lock.tryAcquireAsync(Duration.ofSeconds(10));
        first.cutClient();

        acquire.get(10, TimeUnit.SECONDS).orElseThrow().close();
        assertThat(Stored.leftovers(raw)).isEmpty();
        first.heal();

        await().during(Duration.ofMillis(500)).until(() -> Stored.leftovers(raw).isEmpty());
    }

    /** Row 8. */
    @Test
    void aReleaseWhoseReplyWasLostIsRepeatedAndSucceeds(RawRedis raw) throws Exception {
        Background<Boolean> owner = Background.run(() -> {
            lock.lock();
            proxy.swallowReplies();
            lock.unlock();
        });
        await().until(() -> raw.calls("publish") >= 2 && Stored.leftovers(raw).isEmpty());
        proxy.heal();

        assertThat(owner.result()).isTrue();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }

    /** Row 8, when no answer comes at all: unknown, never IllegalMonitorStateException. */
    @Test
    void anUnansweredReleaseIsUnknownAndRepeatedInTheBackground(RawRedis raw) {
        lock.lock();
        proxy.swallowRequests();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockOutcomeUnknownException.class);
        assertThat(Stored.exists(raw, "job")).isTrue();
        proxy.heal();

        await().until(() -> Stored.leftovers(raw).isEmpty());
    }

    /** Row 9. */
    @Test
    void aReleaseAfterExpirySaysSoAndSparesTheSuccessor(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient other = Clients.connect(redis.url())) {
            lock.lock(100, TimeUnit.MILLISECONDS);
            LockHold successor = other.getLock("job").acquire();
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

            assertThat(raw.text("HGET", Stored.key("job"), "token")).isEqualTo(Long.toString(successor.fencingToken()));
            assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
            successor.close();
        }
    }

    /** Row 9, when the owner can't know: only the release itself finds out. */
    @Test
    void aReleaseAfterATakeOverSaysSoAndSparesTheSuccessor(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient other = Clients.connect(redis.url())) {
            lock.lock();
            raw.command("DEL", Stored.key("job"));
            LockHold successor = other.getLock("job").acquire();
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

            assertThat(raw.text("HGET", Stored.key("job"), "token")).isEqualTo(Long.toString(successor.fencingToken()));
            successor.close();
        }
    }
}
