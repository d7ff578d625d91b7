package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.BrokenLogger;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of users that the client calls, and what it tells about locks and itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallbackTest extends ServerTest {

    /** Defect 24 of the peer: a blocking call in a callback deadlocked or starved. */
    @Test
    void callbacksMayBlockHoweverManyTheyAre() {
        LockClient client = connect();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RLock first = client.getLock("first " + i);
            done.add(first.acquireAsync().toCompletableFuture().thenAcceptAsync(hold -> {
                RLock second = client.getLock("second");
                second.lock();
                assertThat(second.isLocked()).isTrue();
                second.unlock();
                hold.close();
            }));
        }
        done.forEach(Futures::get);
        assertThat(lockKeys()).isEmpty();
    }

    /** Whatever they wait for: a latch stands for a sleep, a socket, a database. */
    @Test
    void callbacksThatBlockKeepBackNoFutureAndNoLoss() {
        grantAndLossAreToldThoughBlocked(
                (lock, block) -> lock.acquireAsync().toCompletableFuture().thenAcceptAsync(hold -> {
                    block.run();
                    hold.releaseAsync();
                }));
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** Losses have a lane of their own, but it is no single file. */
    @Test
    void lossesWhoseCallbacksBlockKeepBackNoOther() {
        grantAndLossAreToldThoughBlocked((lock, block) -> {
            Futures.get(lock.acquireAsync()).onLost(loss -> block.run());
            lock.forceUnlock();
        });
    }

    /** @param bring makes something of a lock run a callback that blocks */
    private void grantAndLossAreToldThoughBlocked(BiConsumer<RLock, Runnable> bring) {
        LockClient client = connect();
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        int callbacks = 40;
        for (int i = 0; i < callbacks; i++) {
            bring.accept(client.getLock("first " + i), () -> {
                blocked.incrementAndGet();
                Futures.await(end);
            });
        }
        eventually(() -> assertThat(blocked).hasValue(callbacks));
        LockHold hold = Futures.get(client.getLock("second").acquireAsync());
        List<String> told = new CopyOnWriteArrayList<>();
        hold.onLost(loss -> told.add(loss.name()));
        client.getLock("second").forceUnlock();
        eventually(() -> assertThat(told).containsExactly("second"));
        end.countDown();
    }

    /** Each of them waits for the same lock: as many as there are threads do, and the others are told that they can't. */
    @Tag("proof")
    @Test
    void callbacksThatWaitForLocksTakeABoundedNumberOfThreads() {
        LockClient client = connect();
        RLock wanted = client.getLock("wanted");
        LockHold held = Futures.get(wanted.acquireAsync());
        List<CompletableFuture<Void>> done = new ArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 400; i++) {
            done.add(client.getLock("first " + i)
                    .acquireAsync()
                    .toCompletableFuture()
                    .thenAcceptAsync(hold -> {
                        try {
                            wanted.lock();
                            wanted.unlock();
                        } catch (IllegalStateException noThreadsLeft) {
                            refused.incrementAndGet();
                        }
                        hold.close();
                    }));
        }
        boolean unbounded = Runtime.version().feature() >= 24;
        eventually(() -> assertThat(client.inspect("wanted").localWaiters() + refused.get())
                .isEqualTo(400));
        assertThat(ClientThreads.names().stream().filter(name -> name.contains("-callback-")))
                .hasSizeLessThanOrEqualTo(unbounded ? 0 : 256);
        assertThat(refused.get() > 0).isNotEqualTo(unbounded);
        held.close();
        done.forEach(Futures::get);
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void aLoggerThatThrowsKeepsNoLossFromItsOwner() throws Exception {
        LockClient client = connect();
        RLock lock = client.getLock("logged");
        List<String> told = new CopyOnWriteArrayList<>();
        try (BrokenLogger broken = new BrokenLogger()) {
            for (int i = 0; i < 3; i++) {
                LockHold hold = lock.acquire();
                hold.onLost(loss -> told.add(loss.name()));
                lock.forceUnlock();
            }
            eventually(() -> assertThat(told).containsExactly("logged", "logged", "logged"));
            assertThat(broken.lines()).isEqualTo(3);
        }
        lock.lock();
        lock.unlock();
    }

    /** Also where the stage was already complete, or is registered without an executor. */
    @Test
    void stagesWithoutAnExecutorMayBlockToo() {
        LockClient client = connect();
        RFuture<LockHold> granted = client.getLock("first").acquireAsync();
        Futures.get(granted.toCompletableFuture().thenAccept(hold -> {
            client.getLock("second").lock();
            client.getLock("second").unlock();
            hold.close();
        }));
    }

    @Test
    void callbacksRunOnTheExecutorOfTheUser() {
        ExecutorService mine = Executors.newSingleThreadExecutor(work -> new Thread(work, "mine"));
        try {
            LockClient client =
                    connect(ClientOptions.builder().callbackExecutor(mine).build());
            List<String> threads = new CopyOnWriteArrayList<>();
            LockHold hold = Futures.get(client.getLock("executor").acquireAsync());
            hold.onLost(loss -> threads.add(Thread.currentThread().getName()));
            client.getLock("executor").forceUnlock();
            eventually(() -> assertThat(threads).containsExactly("mine"));
            client.close();
            assertThat(mine.isShutdown()).isFalse();
        } finally {
            mine.shutdown();
        }
    }

    @Test
    void inspectTellsWhoHoldsSinceWhenAndWhoWaits() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        RLock lock = client.getLock("inspected");
        LockInfo free = client.inspect("inspected");
        assertThat(free.locked()).isFalse();
        assertThat(free.holders()).isEmpty();
        assertThat(free.timeToLive()).isEmpty();
        Instant before = Instant.now().minusMillis(5);
        lock.lock();
        lock.lock();
        RFuture<LockHold> waiting = other.getLock("inspected").acquireAsync();
        eventually(() ->
                assertThat(client.inspect("inspected").subscribedProcesses()).isEqualTo(1));
        LockInfo info = client.inspect("inspected");
        assertThat(info.name()).isEqualTo("inspected");
        assertThat(info.locked()).isTrue();
        assertThat(info.members()).isEmpty();
        assertThat(info.holders()).hasSize(1);
        LockInfo.Holder holder = info.holders().get(0);
        assertThat(holder.owner())
                .startsWith(client.id() + ":" + Thread.currentThread().getId() + ":");
        assertThat(holder.since().orElseThrow()).isBetween(before, Instant.now().plusMillis(5));
        assertThat(holder.fencingToken()).hasValue(lock.getFencingToken());
        assertThat(holder.holdCount()).isEqualTo(2);
        assertThat(holder.ofThisClient()).isTrue();
        assertThat(info.timeToLive().orElseThrow()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
        assertThat(info.heldByThisClient()).isTrue();
        assertThat(info.localWaiters()).isZero();
        LockInfo fromThere = Futures.get(other.inspectAsync("inspected"));
        assertThat(fromThere.heldByThisClient()).isFalse();
        assertThat(fromThere.localWaiters()).isEqualTo(1);
        lock.unlock();
        lock.unlock();
        Futures.get(waiting).close();
    }

    @Test
    void aLockHasNoConditions() {
        RLock lock = connect().getLock("conditions");
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'conditions'");
    }

    @Test
    void nothingThatIsPrintedHoldsThePassword() throws Exception {
        String secret = "canary-" + System.nanoTime();
        raw.command("ACL", "SETUSER", "app", "on", ">" + secret, "~*", "&*", "+@all");
        LockClient client = closing(LockClient.connect(redis.url().replace("redis://", "redis://app:" + secret + "@")));
        RLock lock = client.getLock("secret");
        LockHold hold = lock.acquire();
        assertThat(List.of(client, lock, hold, client.inspect("secret"), lock.tryLockAsync(1, TimeUnit.SECONDS)))
                .allSatisfy(printed -> assertThat(printed.toString()).doesNotContain(secret));
        lock.forceUnlock();
        assertThatThrownBy(hold::close)
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain(secret));
        eventually(() -> assertThat(client.inspect("secret").localWaiters()).isZero());
        lock.forceUnlock();
    }
}
