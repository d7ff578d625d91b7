package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The plain, the fair and the read/write lock of one name are one lock (rule 48). */
class OneLockTest extends QueueTest {

    /** Far sooner than a poll would find out. */
    private static final Duration SOON = Duration.ofMillis(900);

    enum Kind {
        PLAIN {
            @Override
            RLock of(LockClient client) {
                return client.getLock(NAME);
            }
        },
        FAIR {
            @Override
            RLock of(LockClient client) {
                return fair(client);
            }
        },
        READ {
            @Override
            RLock of(LockClient client) {
                return reading(client);
            }
        },
        WRITE {
            @Override
            RLock of(LockClient client) {
                return writing(client);
            }
        };

        abstract RLock of(LockClient client);
    }

    /** Every holder with every waiter that it excludes. */
    static Stream<Arguments> pairs() {
        return Arrays.stream(Kind.values()).flatMap(holder -> Arrays.stream(Kind.values())
                .filter(waiter -> holder != Kind.READ || waiter != Kind.READ)
                .map(waiter -> Arguments.of(holder, waiter)));
    }

    @Tag("proof")
    @ParameterizedTest
    @MethodSource("pairs")
    void theyExcludeAndWakeEachOther(Kind holder, Kind waiter) throws Exception {
        for (LockClient waits : List.of(client, other)) {
            LockHold hold = holder.of(client).acquire();
            assertThat(waiter.of(waits).tryAcquire()).isEmpty();
            RFuture<LockHold> waiting = waiter.of(waits).acquireAsync();
            eventually(() -> assertThat(waits.inspect(NAME).localWaiters()).isEqualTo(1));
            awaitListening();
            long freed = System.nanoTime();
            hold.close();
            try (LockHold next = get(waiting)) {
                assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(SOON);
                assertThat(next.fencingToken()).isPositive();
            }
        }
    }

    /** A fleet that moves from one kind to another, service by service. */
    @Test
    void noUpdateIsLostAmongAllKinds() throws Exception {
        raw.command("SET", "holdfast:fenced:{counter}", "0");
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Integer>> workers = Stream.of(client, other)
                .flatMap(each -> Stream.of(Kind.PLAIN, Kind.FAIR, Kind.WRITE).map(kind -> kind.of(each)))
                .map(lock -> threads.submit(() -> {
                    for (int round = 0; round < 20; round++) {
                        lock.lock();
                        addOneSlowly();
                        lock.unlock();
                    }
                    return 20;
                }))
                .toList();
        threads.shutdown();
        workers.forEach(worker -> get(worker));
        assertThat(raw.text("GET", "holdfast:fenced:{counter}")).isEqualTo("120");
    }

    /** In two steps, which only the lock can guard. */
    private void addOneSlowly() {
        try (RawRedis own = redis.connect()) {
            long value = Long.parseLong(own.text("GET", "holdfast:fenced:{counter}"));
            Thread.yield();
            own.command("SET", "holdfast:fenced:{counter}", Long.toString(value + 1));
        }
    }

    /** Members of a MultiLock that are read and write locks of other names. */
    @Test
    void aMultiLockHasReadingAndWritingMembers() throws Exception {
        RLock all = MultiLock.of(
                client.getReadWriteLock("shelf").readLock(),
                client.getReadWriteLock("basket").writeLock(),
                client.getFairLock("till"));
        all.lock();
        assertThat(other.getReadWriteLock("shelf").readLock().tryLock()).isTrue();
        other.getReadWriteLock("shelf").readLock().unlock();
        assertThat(other.getReadWriteLock("shelf").writeLock().tryLock()).isFalse();
        assertThat(other.getReadWriteLock("basket").readLock().tryLock()).isFalse();
        assertThat(other.getFairLock("till").tryLock(30, MILLISECONDS)).isFalse();
        all.unlock();
        // The till may be kept for the call that has just given up, until its word that it has left the queue is there.
        eventually(() -> assertThat(lockKeys()).isEmpty());

        try (LockHold writer = other.getReadWriteLock("shelf").writeLock().acquire()) {
            assertThat(all.tryLock(30, MILLISECONDS)).isFalse();
            assertThat(client.holds()).isEmpty();
            assertThat(writer.fencingToken()).isPositive();
        }
        assertThat(all.tryLock()).isTrue();
        all.unlock();
    }

    @Test
    void aMultiLockWaitsItsTurnInEachQueue() throws Exception {
        RLock all = MultiLock.of(client.getReadWriteLock("shelf").writeLock(), fair(client));
        LockHold holder = fair(other).acquire();
        CountDownLatch held = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<Boolean> waiting = thread.submit(() -> {
            all.lock();
            held.countDown();
            all.unlock();
            return true;
        });
        awaitWaiting(1);
        holder.close();
        assertThat(get(waiting)).isTrue();
        assertThat(held.getCount()).isZero();
        thread.shutdown();
    }

    @Test
    void locksOfTheSameKindAreEqualAndOfOthersNot() {
        assertThat(fair(client)).isEqualTo(fair(client)).isNotEqualTo(client.getLock(NAME));
        assertThat(reading(client)).isEqualTo(reading(client)).isNotEqualTo(writing(client));
        assertThat(client.getReadWriteLock(NAME)).isEqualTo(client.getReadWriteLock(NAME));
    }
}
