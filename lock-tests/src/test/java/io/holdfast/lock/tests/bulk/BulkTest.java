package io.holdfast.lock.tests.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.evidence.Guarded;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many cycles, many threads, many waiters. */
@Tag("proof")
class BulkTest extends ServerTest {

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connectPatiently();
        lock = client.getLock("bulk");
    }

    /** A crowd takes a while on a busy machine: how long is not what is tried here. */
    private LockClient connectPatiently() {
        return connect(ClientOptions.builder()
                .clientRecord(false)
                .commandTimeout(Duration.ofSeconds(10))
                .build());
    }

    @Test
    @Tag("proof")
    void tenThousandCyclesLeaveNothingBehind() {
        lock.lock();
        lock.unlock();
        long before = scripts();
        for (int cycle = 0; cycle < 10_000; cycle++) {
            lock.lock();
            lock.unlock();
        }
        assertThat(scripts() - before).isEqualTo(20_000);
        assertThat(lockKeys()).isEmpty();
    }

    /** The winner keeps the lock until everybody else has been refused. */
    @Test
    void ofAThousandThreadsWithAShortWaitExactlyOneWins() throws Exception {
        int threads = 1_000;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch ready = new CountDownLatch(threads);
            CountDownLatch start = new CountDownLatch(1);
            CountDownLatch refused = new CountDownLatch(threads - 1);
            AtomicInteger winners = new AtomicInteger();
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(pool.submit(() -> {
                    ready.countDown();
                    start.await();
                    if (lock.tryLock(10, TimeUnit.MILLISECONDS)) {
                        winners.incrementAndGet();
                        assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
                        lock.unlock();
                    } else {
                        refused.countDown();
                    }
                    return null;
                }));
            }
            ready.await();
            start.countDown();
            done.forEach(Futures::get);
            assertThat(winners).hasValue(1);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aHundredThreadsWithALongWaitAllWinOneAtATime() throws Exception {
        int threads = 100;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Guarded guarded = new Guarded();
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(pool.submit(() -> {
                    assertThat(lock.tryLock(10, TimeUnit.SECONDS)).isTrue();
                    guarded.visit();
                    lock.unlock();
                    return null;
                }));
            }
            done.forEach(Futures::get);
            assertThat(guarded.wrong()).isEmpty();
            assertThat(guarded.visits()).isEqualTo(threads);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Three threads of two clients pass the lock around; each gets its turn, and a unique, growing token. */
    @Test
    void twoClientsWithThreeThreadsTakeTurns() {
        RLock elsewhere = connectPatiently().getLock("bulk");
        List<RLock> locks = List.of(lock, lock, elsewhere);
        Guarded guarded = new Guarded();
        int[] turns = new int[locks.size()];
        ExecutorService pool = Executors.newFixedThreadPool(locks.size());
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < locks.size(); i++) {
                int number = i;
                done.add(pool.submit(() -> {
                    RLock mine = locks.get(number);
                    for (int turn = 0; turn < 300; turn++) {
                        mine.lock();
                        guarded.visit(mine.getFencingToken());
                        turns[number]++;
                        mine.unlock();
                    }
                    return null;
                }));
            }
            done.forEach(Futures::get);
        } finally {
            pool.shutdownNow();
        }
        assertThat(guarded.wrong()).isEmpty();
        assertThat(turns).containsOnly(300);
    }

    /** A client that hands the lock over among its own waiters lets others have it now and then. */
    @Test
    void aBusyClientDoesNotStarveAnother() throws Exception {
        RLock elsewhere = connectPatiently().getLock("bulk");
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            AtomicInteger enough = new AtomicInteger();
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                done.add(pool.submit(() -> {
                    while (enough.get() == 0) {
                        lock.lock();
                        lock.unlock();
                    }
                }));
            }
            for (int turn = 0; turn < 10; turn++) {
                assertThat(elsewhere.tryLock(10, TimeUnit.SECONDS)).isTrue();
                elsewhere.unlock();
            }
            enough.set(1);
            done.forEach(Futures::get);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Row 43: however many wait, a release wakes few, and costs few commands. */
    @Test
    void twoThousandWaitersCostAReleaseAsMuchAsTwo() {
        int waiters = 2_000;
        List<LockClient> clients = List.of(client, connectPatiently(), connectPatiently());
        LockHold held = Futures.get(lock.acquireAsync());
        Guarded guarded = new Guarded();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            RFuture<LockHold> waiting =
                    clients.get(i % clients.size()).getLock("bulk").acquireAsync();
            done.add(waiting.toCompletableFuture().thenCompose(hold -> {
                guarded.visit(hold.fencingToken());
                return hold.releaseAsync();
            }));
        }
        eventually(() -> assertThat(clients.stream()
                        .mapToInt(each -> each.inspect("bulk").localWaiters())
                        .sum())
                .isEqualTo(waiters));
        long before = scripts();
        held.close();
        done.forEach(Futures::get);
        assertThat(guarded.wrong()).isEmpty();
        assertThat((double) (scripts() - before) / waiters).isLessThan(1.5);
    }

    /** While a lock is held, waiting costs next to nothing, however many wait. */
    @Test
    void twoThousandWaitersDoNotAskWhileTheLockIsHeld() {
        LockHold held = Futures.get(connectPatiently().getLock("bulk").acquireAsync());
        long before = scripts();
        List<RFuture<LockHold>> waiting = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            waiting.add(lock.acquireAsync());
        }
        eventually(() -> assertThat(raw.list("PUBSUB", "CHANNELS")).hasSize(1));
        eventually(() -> assertThat(client.inspect("bulk").localWaiters()).isEqualTo(2_000));
        assertThat(scripts() - before).isLessThan(60);
        waiting.forEach(future -> future.toCompletableFuture().cancel(false));
        eventually(() -> assertThat(client.inspect("bulk").localWaiters()).isZero());
        held.close();
    }

    /** Defect 11 of the peer: at most 250 contended names per client. */
    @Test
    void aThousandContendedNamesAreNoMoreThanOne() {
        LockClient holder = connectPatiently();
        List<LockHold> held = new ArrayList<>();
        List<RFuture<LockHold>> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            held.add(Futures.get(holder.getLock("name " + i).acquireAsync()));
            waiting.add(client.getLock("name " + i).acquireAsync());
        }
        eventually(() -> assertThat(raw.list("PUBSUB", "CHANNELS")).hasSize(1_000));
        held.forEach(LockHold::close);
        waiting.forEach(future -> Futures.get(future).close());
        assertThat(lockKeys()).isEmpty();
    }

    /** Refusals and waits mixed: the bound of each call holds under load. */
    @Test
    void waitsEndInTimeUnderLoad() {
        LockHold held = Futures.get(connectPatiently().getLock("bulk").acquireAsync());
        List<CompletableFuture<Duration>> ended = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            long start = System.nanoTime();
            ended.add(lock.tryLockAsync(200 + i % 100, -1, TimeUnit.MILLISECONDS, 10_000 + i)
                    .toCompletableFuture()
                    .thenApply(granted -> {
                        assertThat(granted).isFalse();
                        return Duration.ofNanos(System.nanoTime() - start);
                    }));
        }
        for (CompletableFuture<Duration> each : ended) {
            assertThat(Futures.get(each)).isBetween(Duration.ofMillis(199), Duration.ofMillis(1_300));
        }
        held.close();
    }
}
