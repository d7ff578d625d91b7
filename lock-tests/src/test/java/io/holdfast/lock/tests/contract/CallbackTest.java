package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of users that the client calls, and what it tells about locks and itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallbackTest extends ServerTest {

    /** A hold that lasts longer is really released, so that other processes get their turn. */
    private static final Duration LONGEST_RUN = Duration.ofMillis(60);

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
        LockClient client = connect();
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        int callbacks = 40;
        for (int i = 0; i < callbacks; i++) {
            client.getLock("first " + i).acquireAsync().toCompletableFuture().thenAcceptAsync(hold -> {
                blocked.incrementAndGet();
                waitFor(end);
                hold.releaseAsync();
            });
        }
        eventually(() -> assertThat(blocked).hasValue(callbacks));
        LockHold hold = Futures.get(client.getLock("second").acquireAsync());
        List<String> told = new CopyOnWriteArrayList<>();
        hold.onLost(loss -> told.add(loss.lockName()));
        client.getLock("second").forceUnlock();
        eventually(() -> assertThat(told).containsExactly("second"));
        end.countDown();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** Losses have a lane of their own, but it is no single file. */
    @Test
    void lossesWhoseCallbacksBlockKeepBackNoOther() {
        LockClient client = connect();
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        int callbacks = 40;
        for (int i = 0; i < callbacks; i++) {
            RLock lock = client.getLock("first " + i);
            Futures.get(lock.acquireAsync()).onLost(loss -> {
                blocked.incrementAndGet();
                waitFor(end);
            });
            lock.forceUnlock();
        }
        eventually(() -> assertThat(blocked).hasValue(callbacks));
        List<String> told = new CopyOnWriteArrayList<>();
        Futures.get(client.getLock("second").acquireAsync()).onLost(loss -> told.add(loss.lockName()));
        client.getLock("second").forceUnlock();
        eventually(() -> assertThat(told).containsExactly("second"));
        end.countDown();
    }

    /** Of the same listener even: its methods run one at a time, but a loss does not wait for that. */
    @Test
    void aListenerThatBlocksKeepsBackNoLoss() {
        CountDownLatch end = new CountDownLatch(1);
        List<String> heard = new CopyOnWriteArrayList<>();
        RLock lock = connect()
                .getLock(
                        "heard",
                        LockOptions.builder()
                                .listener(new LockListener() {
                                    @Override
                                    public void acquired(LockEvent event) {
                                        waitFor(end);
                                    }

                                    @Override
                                    public void lost(LockEvent event) {
                                        heard.add("lost");
                                    }
                                })
                                .build());
        Futures.get(lock.acquireAsync());
        lock.forceUnlock();
        eventually(() -> assertThat(heard).containsExactly("lost"));
        end.countDown();
    }

    /** Each of them waits for the same lock: as many as there are threads do, and the others are told that they can't. */
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
                hold.onLost(loss -> told.add(loss.lockName()));
                lock.forceUnlock();
            }
            eventually(() -> assertThat(told).containsExactly("logged", "logged", "logged"));
            assertThat(broken.lines()).isEqualTo(3);
        }
        lock.lock();
        lock.unlock();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
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
    void aListenerHearsTheLifeOfAHoldInOrder() throws Exception {
        Ear ear = new Ear();
        LockClient client = connect();
        RLock lock = client.getLock(
                "heard",
                LockOptions.builder()
                        .listener(ear)
                        .watchdogLease(Duration.ofMillis(150))
                        .build());
        LockHold hold = lock.acquire();
        long start = System.nanoTime();
        eventually(() -> assertThat(ear.heard).contains("renewed"));
        assertThat(lock.tryLock()).isFalse();
        RFuture<LockHold> second = lock.acquireAsync();
        eventually(() -> assertThat(client.inspect("heard").localWaiters()).isEqualTo(1));
        eventually(() -> assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(LONGEST_RUN));
        hold.close();
        Futures.get(second).close();
        LockHold third = lock.acquire();
        lock.forceUnlock();
        eventually(() -> assertThat(ear.heard).contains("lost"));
        assertThatThrownBy(third::close).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(ear.heard.stream().filter(what -> !what.equals("renewed")).toList())
                .containsExactly("acquired", "refused", "released", "acquired", "released", "acquired", "lost");
    }

    /** Only a short hold is handed over, so the test tries until one was short enough. */
    @Test
    void aListenerHearsOfAHandOver() {
        Ear ear = new Ear();
        RLock lock =
                connect().getLock("heard", LockOptions.builder().listener(ear).build());
        eventually(() -> {
            RFuture<LockHold> first = lock.acquireAsync();
            RFuture<LockHold> second = lock.acquireAsync();
            Futures.get(first).close();
            Futures.get(second).close();
            assertThat(ear.heard).contains("transferred");
        });
    }

    @Test
    void aListenerThatFailsHarmsNobody() {
        LockClient client = connect();
        RLock lock = client.getLock(
                "heard",
                LockOptions.builder()
                        .listener(new LockListener() {
                            @Override
                            public void acquired(LockEvent event) {
                                throw new IllegalStateException("a bug of the application");
                            }
                        })
                        .build());
        for (int i = 0; i < 10; i++) {
            lock.lock();
            lock.unlock();
        }
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void inspectTellsWhoHoldsSinceWhenAndWhoWaits() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        RLock lock = client.getLock("inspected");
        LockInfo free = client.inspect("inspected");
        assertThat(free.locked()).isFalse();
        assertThat(free.holder()).isEmpty();
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
        assertThat(info.holder().orElseThrow())
                .startsWith(client.id() + ":" + Thread.currentThread().getId() + ":");
        assertThat(info.since().orElseThrow()).isBetween(before, Instant.now().plusMillis(5));
        assertThat(info.fencingToken()).hasValue(lock.getFencingToken());
        assertThat(info.holdCount()).isEqualTo(2);
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

    /** Writes down what it hears. */
    private static final class Ear implements LockListener {

        private final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void acquired(LockEvent event) {
            heard.add("acquired");
        }

        @Override
        public void refused(LockEvent event) {
            heard.add("refused");
        }

        @Override
        public void transferred(LockEvent event) {
            heard.add("transferred");
        }

        @Override
        public void released(LockEvent event) {
            heard.add("released");
        }

        @Override
        public void renewed(LockEvent event) {
            heard.add("renewed");
        }

        @Override
        public void lost(LockEvent event) {
            heard.add("lost");
        }
    }
}
