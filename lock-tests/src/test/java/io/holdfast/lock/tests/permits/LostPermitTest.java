package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Releases of an {@link RSemaphore} after permits were lost: each lost permit costs one release, and never a living permit (rules 123, 124). */
class LostPermitTest extends PermitTest {

    private final ExecutorService first = Executors.newSingleThreadExecutor();
    private final ExecutorService second = Executors.newSingleThreadExecutor();

    private RSemaphore mine;
    private RSemaphore others;

    @BeforeEach
    void setLimit() {
        mine = semaphore(client);
        others = semaphore(other);
        mine.setPermits(1);
    }

    @AfterEach
    void endThreads() {
        first.shutdown();
        second.shutdown();
    }

    /** The client has not noticed the loss: no renewal was due. */
    @Test
    void theReleaseOfAThreadThatLostItsTakesNoOthers() {
        on(first, () -> mine.tryAcquire());
        forget(1);
        assertThat(on(second, () -> mine.tryAcquire())).isTrue();
        assertLost(first);
        assertThat(others.tryAcquire()).isFalse();
        release(second);
        assertThat(others.tryAcquire()).isTrue();
        others.release();
        assertThatThrownBy(() -> mine.release()).hasMessageContaining("this client holds 0");
    }

    /** Which of them is meant can't be told: the one that the server may have forgotten. */
    @Test
    void ofPermitsOfNoThreadTheOneConfirmedLongestAgoComesFirst() {
        get(mine.acquireAsync());
        forget(1);
        get(mine.acquireAsync());
        assertThatThrownBy(() -> mine.release()).isInstanceOf(LockLostException.class);
        assertThat(others.tryAcquire()).isFalse();
        mine.release();
        assertThat(taken()).isEmpty();
    }

    @Test
    void lossesOfPermitsThatOtherThreadsReleaseAreMetOnceEach() {
        mine.setPermits(3);
        on(first, () -> mine.tryAcquire(3));
        forget(3);
        on(first, () -> mine.tryAcquire(3));
        for (int i = 0; i < 3; i++) {
            assertLost(second);
        }
        assertThat(taken()).hasSize(3);
        for (int i = 0; i < 3; i++) {
            release(second);
        }
        assertThat(taken()).isEmpty();
    }

    /** Both are told, so a permit may stay taken, until one more release that names none. */
    @Test
    void aThreadThatHasNoneIsNotGivenAnothersWhileALossIsUnsettled() {
        client = connect(ClientOptions.builder()
                .clientRecord(false)
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(500))
                        .build())
                .build());
        mine = semaphore(client);
        mine.setPermits(2);
        on(first, () -> mine.tryAcquire(2));
        forget(1);
        eventually(() -> assertThat(client.holds()).isEmpty());
        on(second, () -> mine.tryAcquire());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> mine.release())
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContainingAll("semaphore '" + NAME + "'", "nothing is released");
        }
        assertLost(first);
        assertLost(first);
        assertThat(taken()).hasSize(1);
        mine.release();
        assertThat(taken()).isEmpty();
    }

    /** Those that were inside when the server was restarted, and as many that it let in after that. */
    @Test
    @Tag("proof")
    void afterARestartThatForgetsNoMoreAreInsideThanTheLimit() {
        int limit = 4;
        mine.setPermits(limit);
        Crowd crowd = new Crowd(mine);
        List<Future<?>> threads = new ArrayList<>();
        ExecutorService pool = Executors.newCachedThreadPool();
        for (int i = 0; i < 3 * limit; i++) {
            threads.add(pool.submit(crowd::loop));
        }
        try {
            eventually(() -> assertThat(crowd.inside).hasValue(limit));
            redis.kill();
            redis.restart();
            raw = closing(redis.connect());
            eventually(() -> mine.setPermits(limit));
            eventually(() -> assertThat(crowd.inside).hasValue(2 * limit));
            crowd.mayLeave.countDown();
            eventually(() -> assertThat(crowd.lost).hasValue(limit));
            int settled = crowd.rounds.get();
            crowd.most.set(0);
            eventually(() -> assertThat(crowd.rounds).hasValueGreaterThan(settled + 100));
            assertThat(crowd.most.get()).isLessThanOrEqualTo(limit);
            assertThat(crowd.lost).hasValue(limit);
        } finally {
            crowd.isOver.set(true);
            crowd.mayLeave.countDown();
            threads.forEach(thread -> get(thread));
            pool.shutdown();
        }
    }

    /** Threads of one client that share the permits. */
    private static final class Crowd {

        final RSemaphore permits;
        final CountDownLatch mayLeave = new CountDownLatch(1);
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger rounds = new AtomicInteger();
        final AtomicInteger lost = new AtomicInteger();

        Crowd(RSemaphore permits) {
            this.permits = permits;
        }

        void loop() {
            while (!isOver.get()) {
                try {
                    if (!permits.tryAcquire(Duration.ofMillis(200))) {
                        continue;
                    }
                } catch (LockException | InterruptedException outage) {
                    continue;
                }
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Futures.await(mayLeave);
                LockSupport.parkNanos(500_000);
                inside.decrementAndGet();
                rounds.incrementAndGet();
                try {
                    permits.release();
                } catch (LockLostException | IllegalStateException refused) {
                    lost.incrementAndGet();
                }
            }
        }
    }

    /** The server loses all of its data; the limit is set again. */
    private void forget(int limit) {
        raw.command("FLUSHALL");
        others.setPermits(limit);
    }

    private static <T> T on(ExecutorService thread, Callable<T> call) {
        return get(thread.submit(call));
    }

    private void release(ExecutorService thread) {
        on(thread, () -> {
            mine.release();
            return true;
        });
    }

    private void assertLost(ExecutorService thread) {
        assertThatThrownBy(() -> release(thread)).isInstanceOf(LockLostException.class);
    }
}
