package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redisson and Holdfast side by side on the same keys: they exclude each other and wake each other. */
class MixedFleetTest extends SideBySide {

    private static final String NAME = "shared";
    private static final Duration PROMPTLY = Duration.ofSeconds(1);

    private RLock ours;
    private org.redisson.api.RLock theirs;

    @BeforeEach
    void takeALock() {
        ours = client.getLock(NAME);
        theirs = redisson.getLock(NAME);
    }

    @Test
    void eachRefusesWhileTheOtherHolds() throws Exception {
        theirs.lock();
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(ours.isLocked()).isTrue();
        assertThat(ours.remainTimeToLive()).isBetween(20_000L, 30_000L);
        theirs.unlock();
        assertThat(ours.isLocked()).isFalse();
        ours.lock();
        assertThat(theirs.tryLock()).isFalse();
        assertThat(theirs.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.isHeldByCurrentThread()).isFalse();
        assertThat(theirs.remainTimeToLive()).isBetween(20_000L, 30_000L);
        ours.unlock();
        assertThat(theirs.tryLock()).isTrue();
        theirs.unlock();
    }

    @Test
    void reEntryOnEitherSideKeepsTheOtherOut() {
        ours.lock();
        ours.lock();
        ours.unlock();
        assertThat(theirs.tryLock()).isFalse();
        ours.unlock();
        theirs.lock();
        theirs.lock();
        theirs.unlock();
        assertThat(ours.tryLock()).isFalse();
        theirs.unlock();
    }

    @RepeatedTest(5)
    void ourReleaseWakesTheirWaiter() throws Exception {
        ours.lock();
        Future<Duration> waiting = background.submit(() -> {
            theirs.lock();
            long granted = System.nanoTime();
            theirs.unlock();
            return Duration.ofNanos(granted);
        });
        eventually(() -> assertThat(subscribers()).isEqualTo(1));
        long released = System.nanoTime();
        ours.unlock();
        assertThat(Futures.get(waiting).minusNanos(released)).isLessThan(PROMPTLY);
    }

    @RepeatedTest(5)
    void theirReleaseWakesOurWaiter() {
        theirs.lock();
        RFuture<LockHold> waiting = ours.acquireAsync();
        eventually(() -> assertThat(subscribers()).isEqualTo(1));
        long released = System.nanoTime();
        theirs.unlock();
        Futures.get(waiting).close();
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(PROMPTLY);
    }

    @Test
    void ourForcedReleaseWakesTheirWaiterAndTheirsOurs() throws Exception {
        ours.lock();
        Future<?> waiting = background.submit(() -> {
            theirs.lock();
            theirs.unlock();
        });
        eventually(() -> assertThat(subscribers()).isEqualTo(1));
        assertThat(ours.forceUnlock()).isTrue();
        Futures.get(waiting);
        assertThatThrownBy(ours::unlock).isInstanceOf(LockLostException.class);

        theirs.lock();
        RFuture<LockHold> ourWaiter = ours.acquireAsync();
        eventually(() -> assertThat(client.inspect(NAME).localWaiters()).isEqualTo(1));
        assertThat(theirs.forceUnlock()).isTrue();
        Futures.get(ourWaiter).close();
    }

    @Test
    void aHoldThatTheyForceAwayIsLostToUsWhenWeReleaseIt() throws Exception {
        LockHold hold = ours.acquire();
        assertThat(theirs.forceUnlock()).isTrue();
        theirs.lock();
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        theirs.unlock();
    }

    @Test
    void ourLookAtTheirHoldTellsTheHolder() {
        theirs.lock();
        LockInfo info = client.inspect(NAME);
        assertThat(info.locked()).isTrue();
        assertThat(info.heldByThisClient()).isFalse();
        assertThat(info.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).endsWith(":" + Thread.currentThread().getId());
            assertThat(holder.fencingToken()).isEmpty();
            assertThat(holder.since()).isEmpty();
        });
        theirs.unlock();
    }

    /** A lock that goes from hand to hand inside our client is never free, and theirs get their turn. */
    @Test
    void handOversInsideOurClientDoNotConfuseThem() throws Exception {
        LockHold held = ours.acquire();
        List<CompletableFuture<Void>> handed = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            handed.add(ours.acquireAsync().toCompletableFuture().thenCompose(LockHold::releaseAsync));
        }
        Future<Boolean> waiting = background.submit(() -> {
            boolean granted = theirs.tryLock(20, TimeUnit.SECONDS);
            theirs.unlock();
            return granted;
        });
        eventually(() -> assertThat(subscribers()).isEqualTo(2));
        held.close();
        assertThat(Futures.get(waiting)).isTrue();
        handed.forEach(Futures::get);
    }

    @Tag("proof")
    @Test
    void aMixedFleetLosesNoUpdate() {
        raw.command("SET", "holdfast:fenced:{counter}", "0");
        List<Future<?>> done = new ArrayList<>();
        for (Lock lock : List.of(ours, theirs, ours, theirs, ours, theirs)) {
            done.add(background.submit(() -> {
                try (var connection = redis.connect()) {
                    for (int round = 0; round < 50; round++) {
                        lock.lock();
                        long value =
                                Long.parseLong(String.valueOf(connection.text("GET", "holdfast:fenced:{counter}")));
                        connection.command("SET", "holdfast:fenced:{counter}", Long.toString(value + 1));
                        lock.unlock();
                    }
                }
            }));
        }
        done.forEach(Futures::get);
        assertThat(raw.text("GET", "holdfast:fenced:{counter}")).isEqualTo("300");
    }

    private long subscribers() {
        return Long.parseLong(raw.list("PUBSUB", "NUMSUB", "redisson_lock__channel:{" + NAME + "}")
                .get(1));
    }
}
