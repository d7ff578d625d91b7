package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Row 40: an interrupt at every stage of a call. */
@RedisTest
class InterruptTest {

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

    @Test
    void beforeSending(RawRedis raw) {
        long scripts = raw.calls("evalsha");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(raw.calls("evalsha")).isEqualTo(scripts);
    }

    @Test
    void awaitingTheReply(RawRedis raw) {
        proxy.holdReplies();
        Background<Boolean> call = Background.run(() -> lock.lockInterruptibly());
        await().until(() -> Stored.exists(raw, "job"));
        call.interrupt();
        assertThatThrownBy(call::result).isInstanceOf(InterruptedException.class);
        proxy.heal();

        await().until(() -> Stored.leftovers(raw).isEmpty());
    }

    @Test
    void awaitingTheSubscription(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient holder = Clients.connect(redis.url())) {
            LockHold hold = holder.getLock("job").acquire();
            proxy.onAccept(FaultProxy.Link::holdReplies);
            proxy.connections().stream().skip(1).forEach(FaultProxy.Link::holdReplies);
            Background<Boolean> call = Background.call(() -> lock.tryLock(10, TimeUnit.SECONDS));
            await().until(() -> client.inspect("job").localWaiters() == 1);
            call.interrupt();
            assertThatThrownBy(call::result).isInstanceOf(InterruptedException.class);
            assertThat(client.inspect("job").localWaiters()).isZero();
            proxy.heal();
            hold.close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    @Test
    void parked(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient holder = Clients.connect(redis.url())) {
            LockHold hold = holder.getLock("job").acquire();
            Background<Boolean> call = Background.call(() -> lock.tryLock(10, TimeUnit.SECONDS));
            Background<Boolean> next = Background.call(() -> lock.tryLock(10, TimeUnit.SECONDS));
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            call.awaitParked().interrupt();
            assertThatThrownBy(call::result).isInstanceOf(InterruptedException.class);
            hold.close();
            assertThat(next.result(Duration.ofSeconds(2))).isTrue();
        }
    }

    /** At any moment around the grant: either the call throws and nothing is held, or it returns and the flag stands. */
    @Test
    void aroundTheGrant(RawRedis raw) throws Exception {
        int granted = 0;
        for (int round = 0; round < 300; round++) {
            Background<Boolean> call = Background.call(() -> {
                boolean locked = lock.tryLock(5, TimeUnit.SECONDS);
                boolean flag = Thread.currentThread().isInterrupted();
                lock.unlock();
                return locked && (flag || !Thread.currentThread().isInterrupted());
            });
            long untilNanos = System.nanoTime() + round % 60 * 10_000L;
            while (System.nanoTime() < untilNanos) {
                Thread.onSpinWait();
            }
            call.interrupt();
            try {
                granted += call.result() ? 1 : 0;
            } catch (InterruptedException givenUp) {
                assertThat(call.thread().isInterrupted()).isFalse();
            }
        }
        await().until(() -> Stored.leftovers(raw).isEmpty());
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(granted).isBetween(0, 300);
    }

    @Test
    void inUnlock(RawRedis raw) throws Exception {
        Background<Boolean> call = Background.call(() -> {
            lock.lock();
            proxy.delayReplies(Duration.ofMillis(200));
            Thread.currentThread().interrupt();
            lock.unlock();
            return Thread.currentThread().isInterrupted();
        });
        assertThat(call.result()).isTrue();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }
}
