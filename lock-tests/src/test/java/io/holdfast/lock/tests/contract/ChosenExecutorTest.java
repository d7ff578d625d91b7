package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors of users, of every kind: none of them gets code of users into the client's own work. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChosenExecutorTest extends ServerTest {

    private static final int CALLERS = 6;
    private static final int ROUNDS = 300;

    private final List<ExecutorService> pools = new ArrayList<>();

    /** What an executor does with a task for which it has no thread, or with every task. */
    enum Kind {
        DIRECT {
            @Override
            Executor make(List<ExecutorService> pools) {
                return Runnable::run;
            }
        },
        CALLER_RUNS {
            @Override
            Executor make(List<ExecutorService> pools) {
                return small(pools, new ThreadPoolExecutor.CallerRunsPolicy());
            }
        },
        ABORT {
            @Override
            Executor make(List<ExecutorService> pools) {
                return small(pools, new ThreadPoolExecutor.AbortPolicy());
            }
        },
        THROWS {
            @Override
            Executor make(List<ExecutorService> pools) {
                return task -> {
                    throw new InternalError("on purpose: no executor at all");
                };
            }
        };

        abstract Executor make(List<ExecutorService> pools);

        private static Executor small(List<ExecutorService> pools, RejectedExecutionHandler full) {
            ExecutorService pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), full);
            pools.add(pool);
            return pool;
        }
    }

    @AfterEach
    void endThePools() {
        pools.forEach(ExecutorService::shutdownNow);
    }

    /** The dependent may be refused, since it runs where answers are read; it must not wait within the lock's gate. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("proof")
    void dependentsThatBlockOnTheSameLockHangNobody(Kind kind) {
        LockClient client = connect(using(kind.make(pools)));
        RLock lock = client.getLock("own");
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(CompletableFuture.runAsync(() -> takeAndAskInDependents(lock), thread()));
        }
        callers.forEach(Futures::get);
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    private static void takeAndAskInDependents(RLock lock) {
        for (int i = 0; i < ROUNDS; i++) {
            RFuture<LockHold> granted = lock.acquireAsync();
            CompletableFuture<Void> asked = granted.toCompletableFuture().thenAccept(hold -> {
                try {
                    lock.isLocked();
                    lock.tryLock(1, TimeUnit.MILLISECONDS);
                } catch (IllegalStateException onConnections) {
                    assertThat(onConnections).hasMessageContaining("would block");
                } catch (InterruptedException unexpected) {
                    throw new IllegalStateException(unexpected);
                } finally {
                    hold.releaseAsync();
                }
            });
            if (lock.tryLock()) {
                lock.unlock();
            }
            Futures.get(asked);
        }
    }

    /** The close fails the waiter within a step, on the thread that closes. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aDependentNeverRunsInsideAnotherCallersCall(Kind kind) throws Exception {
        LockClient client = connect(using(kind.make(pools)));
        RLock lock = client.getLock("own");
        lock.lock();
        RFuture<LockHold> waiting = lock.acquireAsync();
        eventually(() -> assertThat(client.inspect("own").localWaiters()).isEqualTo(1));
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        waiting.handle((hold, failure) -> {
            try {
                lock.tryLock();
            } catch (RuntimeException refused) {
                // Because of the thread, or because the client is closed.
            }
            return ranOn.complete(Thread.currentThread());
        });
        client.close();
        assertThat(Futures.get(ranOn)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void aCancelledFutureGivesBackThoughTheExecutorIsBusy() {
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService busy = Executors.newSingleThreadExecutor();
        pools.add(busy);
        busy.execute(() -> Futures.await(end));
        RLock lock = connect(using(busy)).getLock("own");
        RFuture<Void> granted = lock.lockAsync(77);
        eventually(() -> assertThat(lock.isHeldByThread(77)).isTrue());
        // Its answer is read by the thread that has granted, so that has done with the lock then.
        assertThat(lock.isLocked()).isTrue();

        assertThat(granted.cancel(false)).isTrue();
        assertThat(lock.isHeldByThread(77)).isFalse();
        eventually(() -> assertThat(lockKeys()).isEmpty());
        end.countDown();
    }

    @Test
    void aLossIsToldThoughTheExecutorIsBusy() {
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService single = Executors.newSingleThreadExecutor();
        pools.add(single);
        RLock lock = connect(using(single)).getLock("own");
        LockHold hold = Futures.get(lock.acquireAsync());
        single.execute(() -> Futures.await(end));
        List<String> told = new CopyOnWriteArrayList<>();
        hold.onLost(loss -> told.add(loss.name()));

        lock.forceUnlock();
        eventually(() -> assertThat(told).containsExactly("own"));
        end.countDown();
        assertThatThrownBy(hold::release).isInstanceOf(IllegalMonitorStateException.class);
    }

    private static ClientOptions using(Executor executor) {
        return ClientOptions.builder()
                .commandTimeout(Duration.ofSeconds(2))
                .callbackExecutor(executor)
                .build();
    }

    private static Executor thread() {
        return task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            thread.start();
        };
    }
}
