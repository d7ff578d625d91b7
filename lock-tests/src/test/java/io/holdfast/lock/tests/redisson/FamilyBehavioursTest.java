package io.holdfast.lock.tests.redisson;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Rows of docs/redisson.md for fair and read/write locks: what Redisson does, and beside it what ours does. Behaviours that are the
 * same and that other suites prove of ours are not repeated.
 */
@Tag("proof")
class FamilyBehavioursTest extends SideBySide {

    private static final Duration SHORT_LEASE = Duration.ofMillis(900);

    /** Of a call that is expected to wait in vain. */
    private static final long BRIEFLY = 300;

    private LockClient own;
    private RReadWriteLock ours;
    private org.redisson.api.RReadWriteLock theirs;

    @BeforeEach
    void takeTheLocksOfEither() {
        own = connect();
        ours = own.getReadWriteLock("ours");
        theirs = redisson.getReadWriteLock("theirs");
    }

    // --- fair locks ---

    @Test
    void leasesThatRunOutHandAFairLockOnInTheOrderOfArrival() {
        List<Integer> arrivals = IntStream.range(0, 5).boxed().toList();
        assertThat(served(
                        arrivals.size(),
                        () -> redisson.getFairLock("theirs").tryLock(20_000, 300, MILLISECONDS),
                        "LLEN",
                        "redisson_lock_queue:{theirs}"))
                .isEqualTo(arrivals);
        assertThat(served(
                        arrivals.size(),
                        () -> own.getFairLock("ours").tryLock(20_000, 300, MILLISECONDS),
                        "ZCARD",
                        Stored.key("ours") + ":queue"))
                .isEqualTo(arrivals);
        forgetTheirs();
    }

    /** Lets callers come one after the other, and returns in which order they were granted the lock, which none releases. */
    private List<Integer> served(int callers, Callable<Boolean> call, String count, String queue) {
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int number = i;
            calls.add(background.submit(() -> {
                assertThat(call.call()).isTrue();
                served.add(number);
                return null;
            }));
            eventually(
                    () -> assertThat(raw.integer(count, queue) + served.size()).isGreaterThan(number));
        }
        calls.forEach(Futures::get);
        return served;
    }

    @Test
    void aCallOfAFairLockThatHasGivenUpDoesNotHoldUpTheNext() throws Exception {
        org.redisson.api.RLock their = redisson.getFairLock("theirs");
        their.lock();
        assertThat(elsewhere(() -> their.tryLock(BRIEFLY, MILLISECONDS))).isFalse();
        their.unlock();
        assertThat(elsewhere(() -> their.tryLock() && unlocked(their))).isTrue();

        RLock our = own.getFairLock("ours");
        our.lock();
        assertThat(elsewhere(() -> our.tryLock(BRIEFLY, MILLISECONDS))).isFalse();
        our.unlock();
        assertThat(elsewhere(() -> our.tryLock() && unlocked(our))).isTrue();
    }

    @Test
    void anUnlockOfAFairLockAfterItsLease() throws Exception {
        org.redisson.api.RLock their = redisson.getFairLock("theirs");
        their.lock(BRIEFLY, MILLISECONDS);
        assertThat(elsewhere(() -> their.tryLock(10, SECONDS) && unlocked(their)))
                .isTrue();
        their.unlock();

        RLock our = own.getFairLock("ours");
        our.lock(BRIEFLY, MILLISECONDS);
        assertThat(elsewhere(() -> our.tryLock(10, SECONDS) && unlocked(our))).isTrue();
        assertThatThrownBy(our::unlock).isInstanceOf(LockLostException.class);
    }

    /** Of ours only. */
    @Test
    void aWaiterOutlastsAServerThatTakesNoWritesForAWhile() {
        RLock our = own.getFairLock("ours");
        LockHold holder = Futures.get(our.withLease(SHORT_LEASE).acquireAsync());
        RFuture<LockHold> waiting = our.acquireAsync();
        eventually(() -> assertThat(own.inspect("ours").queue()).hasSize(1));
        raw.command("CLIENT", "PAUSE", "3000", "WRITE");
        Futures.get(holder.lost().toCompletableFuture());
        Futures.get(waiting).close();
        assertThat(own.inspect("ours").queue()).isEmpty();
    }

    // --- read/write locks ---

    @Test
    void whetherAHalfIsLocked() {
        theirs.writeLock().lock();
        assertThat(theirs.readLock().isLocked()).isFalse();
        theirs.readLock().lock();
        assertThat(theirs.readLock().isLocked()).isTrue();
        theirs.writeLock().unlock();
        assertThat(theirs.writeLock().isLocked()).isFalse();
        theirs.readLock().unlock();

        ours.writeLock().lock();
        assertThat(ours.readLock().isLocked()).as("the lock is, by a writer").isTrue();
        assertThat(own.inspect("ours").holders()).noneMatch(LockInfo.Holder::reads);
        assertThat(ours.readLock().isHeldByCurrentThread()).isFalse();
        ours.readLock().lock();
        ours.writeLock().unlock();
        assertThat(ours.writeLock().isLocked()).as("the lock is, by a reader").isTrue();
        assertThat(own.inspect("ours").holders()).allMatch(LockInfo.Holder::reads);
        ours.readLock().unlock();
        assertThat(ours.writeLock().isLocked()).isFalse();
    }

    @Test
    void forceOfOneHalfLeavesTheOther() {
        theirs.readLock().lock();
        assertThat(theirs.writeLock().forceUnlock()).isFalse();
        assertThat(theirs.readLock().forceUnlock()).isTrue();
        theirs.writeLock().lock();
        assertThat(theirs.readLock().forceUnlock()).isFalse();
        assertThat(theirs.writeLock().forceUnlock()).isTrue();
        forgetTheirs();

        ours.readLock().lock();
        assertThat(ours.writeLock().forceUnlock()).isFalse();
        assertThat(ours.readLock().forceUnlock()).isTrue();
        assertThatThrownBy(ours.readLock()::unlock).isInstanceOf(LockLostException.class);
        ours.writeLock().lock();
        assertThat(ours.readLock().forceUnlock()).isFalse();
        assertThat(ours.writeLock().forceUnlock()).isTrue();
        assertThatThrownBy(ours.writeLock()::unlock).isInstanceOf(LockLostException.class);
    }

    /** An owner that holds both: theirs ends both, ours the one. */
    @Test
    void forceOfTheWriteHalfOfAnOwnerThatReadsToo() {
        theirs.writeLock().lock();
        theirs.readLock().lock();
        assertThat(theirs.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(theirs.writeLock().forceUnlock()).isTrue();
        assertThat(theirs.readLock().isHeldByCurrentThread())
                .as("ended with the write half")
                .isFalse();
        raw.command("FLUSHALL");

        ours.writeLock().lock();
        ours.readLock().lock();
        assertThat(ours.writeLock().forceUnlock()).isTrue();
        assertThat(ours.readLock().isLocked()).isTrue();
        ours.readLock().unlock();
        assertThatThrownBy(ours.writeLock()::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void aReEntryOfAWriterWithALease() {
        theirs.writeLock().lock(10, SECONDS);
        theirs.writeLock().lock(5, SECONDS);
        assertThat(theirs.writeLock().remainTimeToLive()).as("added up").isGreaterThan(10_000);
        forgetTheirs();

        ours.writeLock().lock(10, SECONDS);
        ours.writeLock().lock(5, SECONDS);
        assertThat(ours.writeLock().remainTimeToLive()).isBetween(5_001L, 10_000L);
        ours.writeLock().unlock();
        ours.writeLock().unlock();
    }

    /** Theirs has a lease for each level of a reader, ours one for the hold. */
    @Test
    void aLevelOfAReaderThatIsReleasedTakesItsLeaseWithIt() {
        theirs.readLock().lock(1, SECONDS);
        theirs.readLock().lock(30, SECONDS);
        theirs.readLock().unlock();
        assertThat(theirs.readLock().remainTimeToLive()).isLessThanOrEqualTo(1_000);
        forgetTheirs();

        ours.readLock().lock(1, SECONDS);
        ours.readLock().lock(30, SECONDS);
        ours.readLock().unlock();
        assertThat(ours.readLock().remainTimeToLive()).isGreaterThan(20_000);
        ours.readLock().unlock();
    }

    @Test
    void aReaderThatAsksForTheWriteLock() {
        theirs.readLock().lock();
        assertThat(theirs.writeLock().tryLock()).isFalse();
        theirs.readLock().unlock();

        ours.readLock().lock();
        assertThatThrownBy(ours.writeLock()::tryLock).isInstanceOf(IllegalMonitorStateException.class);
        ours.readLock().unlock();
    }

    @Test
    void readersAndAWriterThatWaits() throws Exception {
        theirs.readLock().lock();
        Future<Boolean> theirWriter =
                background.submit(() -> theirs.writeLock().tryLock(20, SECONDS) && unlocked(theirs.writeLock()));
        eventually(() ->
                assertThat(raw.list("PUBSUB", "CHANNELS", "redisson_rwlock:*")).hasSize(1));
        assertThat(elsewhere(() -> theirs.readLock().tryLock() && unlocked(theirs.readLock())))
                .as("passes the writer")
                .isTrue();
        theirs.readLock().unlock();
        assertThat(Futures.get(theirWriter)).isTrue();

        ours.readLock().lock();
        RFuture<LockHold> ourWriter = ours.writeLock().acquireAsync();
        eventually(() -> assertThat(own.inspect("ours").queue()).hasSize(1));
        assertThat(elsewhere(() -> ours.readLock().tryLock(BRIEFLY, MILLISECONDS)))
                .as("waits behind the writer")
                .isFalse();
        ours.readLock().unlock();
        Futures.get(ourWriter).close();
    }

    /** A reader whose lease is over, beside one that lives: the writer comes when the second has left. */
    @Test
    void aReaderThatNeverLeavesEndsWithItsLease() throws Exception {
        assertThat(elsewhere(() -> {
                    theirs.readLock().lock(BRIEFLY, MILLISECONDS);
                    return true;
                }))
                .isTrue();
        theirs.readLock().lock(30, SECONDS);
        Thread.sleep(BRIEFLY);
        assertThat(raw.integer("HLEN", "theirs"))
                .as("the mode, the one and the other")
                .isEqualTo(3);
        theirs.readLock().unlock();
        assertThat(elsewhere(() -> theirs.writeLock().tryLock(5, SECONDS) && unlocked(theirs.writeLock())))
                .isTrue();

        RFuture<LockHold> brief =
                ours.readLock().withLease(Duration.ofMillis(BRIEFLY)).acquireAsync();
        Futures.get(brief);
        ours.readLock().lock(30, SECONDS);
        Futures.get(Futures.get(brief).lost().toCompletableFuture());
        ours.readLock().unlock();
        assertThat(elsewhere(() -> ours.writeLock().tryLock(5, SECONDS) && unlocked(ours.writeLock())))
                .isTrue();
    }

    @Test
    void readersWaitForTheEndOfAWritersLease() {
        theirs.writeLock().lock(600, MILLISECONDS);
        bothRead(theirs.readLock());

        ours.writeLock().lock(600, MILLISECONDS);
        bothRead(ours.readLock());
    }

    private void bothRead(Lock lock) {
        List<Future<Boolean>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readers.add(background.submit(() -> lock.tryLock(10, SECONDS) && unlocked(lock)));
        }
        readers.forEach(reader -> assertThat(Futures.get(reader)).isTrue());
    }

    @Test
    void bothHalvesOfAnOwnerAreRenewed() throws Exception {
        Config config = new Config();
        config.setLockWatchdogTimeout(SHORT_LEASE.toMillis());
        config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(1);
        RedissonClient quick = Redisson.create(config);
        org.redisson.api.RReadWriteLock their = quick.getReadWriteLock("theirs");
        LockOptions options = Clients.watchdog(SHORT_LEASE);
        RReadWriteLock our = own.getReadWriteLock("ours", options);
        try {
            their.writeLock().lock();
            their.readLock().lock();
            our.writeLock().lock();
            our.readLock().lock();
            Thread.sleep(SHORT_LEASE.multipliedBy(2).toMillis());
            assertThat(their.writeLock().isHeldByCurrentThread()).isTrue();
            assertThat(our.writeLock().remainTimeToLive()).isPositive();
            their.writeLock().unlock();
            our.writeLock().unlock();
            Thread.sleep(SHORT_LEASE.multipliedBy(2).toMillis());
            their.readLock().unlock();
            our.readLock().unlock();
        } finally {
            quick.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{test}:abc:key", "a:b", "x{y}z"})
    void namesWithBraces(String name) {
        works(redisson.getReadWriteLock(name).readLock());
        works(own.getReadWriteLock(name).readLock());
        works(own.getReadWriteLock(name).writeLock());
        works(own.getFairLock(name));
    }

    private static void works(Lock lock) {
        lock.lock();
        assertThat(unlocked(lock)).isTrue();
    }

    /** Lost with the server's data, of either half: the late unlock is refused, and the lock can be taken and renewed again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHalfThatTheServerHasForgotten(boolean write) {
        org.redisson.api.RLock their = write ? theirs.writeLock() : theirs.readLock();
        RLock our = write ? ours.writeLock() : ours.readLock();
        their.lock();
        our.lock();
        raw.command("FLUSHALL");
        assertThatThrownBy(their::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(our::unlock).isInstanceOf(LockLostException.class);
        their.lock();
        our.lock();
        their.unlock();
        our.unlock();
    }

    // --- helpers ---

    /** Redisson leaves keys beside a lock that was not released. */
    private void forgetTheirs() {
        raw.list("KEYS", "*theirs*").forEach(key -> raw.command("DEL", key));
    }

    private static boolean unlocked(Lock lock) {
        lock.unlock();
        return true;
    }

    private <T> T elsewhere(Callable<T> call) {
        return Futures.get(background.submit(call));
    }
}
