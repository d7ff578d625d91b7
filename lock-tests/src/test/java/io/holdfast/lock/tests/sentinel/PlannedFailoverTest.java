package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 13e: the old primary takes releases for another second, of which the new one hears nothing (rule 128). */
@Tag("proof")
class PlannedFailoverTest extends SentinelTest {

    private static final int LOCKS = 6;

    /** A lease frees none of them here. */
    private static final LockOptions LONG_LEASED = Clients.watchdog(LONG_LEASE);

    /** Of which kind the locks are. */
    enum Kind {
        PLAIN,
        FAIR,
        READ;

        RLock of(io.holdfast.lock.LockClient client, String name) {
            return switch (this) {
                case PLAIN -> client.getLock(name, LONG_LEASED);
                case FAIR -> client.getFairLock(name, LONG_LEASED);
                case READ -> client.getReadWriteLock(name, LONG_LEASED).readLock();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheOldPrimaryReleasedLastIsFreeAtTheNewOne(Kind kind) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            RLock one = kind.of(connect(), "busy" + i);
            RLock other = kind.of(connect(), "busy" + i);
            threads.add(taking(one, stopped));
            threads.add(taking(other, stopped));
        }
        RedisServer old = group.primary();

        RedisServer now = group.failOver();

        OurConnections.awaitNoneAt(old);
        stopped.set(true);
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
        try (RawRedis raw = now.connect()) {
            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(Stored.leftovers(raw)).isEmpty());
        }
    }

    /** The new primary has missed the permit and grants it to another thread, which keeps it though the first releases late (rule 124). */
    @Test
    void theTakerOfAPermitThatIsLostReleasesNoOther() {
        RSemaphore mine = connect().getSemaphore("slots", LONG_LEASED);
        RSemaphore others = connect().getSemaphore("slots", LONG_LEASED);
        String key = Stored.key("slots") + ":permits";
        mine.setPermits(1);
        assertThat(mine.tryAcquire()).isTrue();
        forgetKeyAtReplicas(key);
        RedisServer old = group.primary();

        RedisServer now = group.failOver();

        OurConnections.awaitNoneAt(old);
        eventually(() -> others.setPermits(1));
        ExecutorService second = Executors.newSingleThreadExecutor();
        try (RawRedis raw = now.connect()) {
            assertThat(Futures.get(second.submit(() -> mine.tryAcquire(PATIENCE))))
                    .isTrue();
            assertThatThrownBy(mine::release).isInstanceOf(LockLostException.class);
            assertThat(others.tryAcquire()).isFalse();
            Futures.get(second.submit(() -> mine.release()));
            assertThat(others.tryAcquire()).isTrue();
            others.release();
            raw.command("DEL", Stored.key("slots") + ":limit");
        } finally {
            second.shutdown();
        }
    }

    /** A thread that takes a lock and gives it back, again and again. */
    private static Thread taking(RLock lock, AtomicBoolean stopped) {
        Thread thread = new Thread(() -> {
            while (!stopped.get()) {
                try {
                    if (lock.tryLock(1, TimeUnit.SECONDS)) {
                        lock.unlock();
                    }
                } catch (InterruptedException | LockException | LockLostException outage) {
                    Thread.onSpinWait();
                }
            }
        });
        thread.start();
        return thread;
    }
}
