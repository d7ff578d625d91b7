package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One owner and both halves of a read/write lock: downgrade, upgrade, release and force of each half (rules 50 to 52). */
class HalvesTest extends QueueTest {

    /** Ways in which an owner asks for the lock. */
    enum Way {
        LOCK {
            @Override
            void ask(RLock lock) {
                lock.lock();
            }
        },
        LOCK_WITH_LEASE {
            @Override
            void ask(RLock lock) {
                lock.lock(5, SECONDS);
            }
        },
        TRY {
            @Override
            void ask(RLock lock) {
                lock.tryLock();
            }
        },
        TRY_WITH_WAIT {
            @Override
            void ask(RLock lock) throws InterruptedException {
                lock.tryLock(5, SECONDS);
            }
        },
        ASYNC {
            @Override
            void ask(RLock lock) {
                get(lock.lockAsync());
            }
        },
        TRY_ASYNC {
            @Override
            void ask(RLock lock) {
                get(lock.tryLockAsync());
            }
        };

        abstract void ask(RLock lock) throws InterruptedException;
    }

    @Test
    void whoWritesMayReadAndGoOnReadingWithOthers() throws Exception {
        RLock write = writing(client);
        RLock read = reading(client);
        write.lock();
        read.lock();
        assertThat(read.getFencingToken()).isGreaterThan(write.getFencingToken());
        RFuture<LockHold> reader = queued(reading(other));
        RFuture<LockHold> writer = queued(writing(other));
        write.unlock();
        assertThat(waiting()).as("the release itself admits (rule 51)").hasSize(1);
        LockHold beside = get(reader);
        assertThat(read.isHeldByCurrentThread()).isTrue();
        assertThat(write.isHeldByCurrentThread()).isFalse();
        assertThat(waiting()).hasSize(1);
        read.unlock();
        assertThat(waiting()).hasSize(1);
        beside.close();
        get(writer).close();
    }

    @Test
    void whoReleasesTheReadHalfFirstStillWrites() throws Exception {
        writing(client).lock();
        reading(client).lock();
        RFuture<LockHold> reader = queued(reading(other));
        reading(client).unlock();
        assertThat(writing(client).isHeldByCurrentThread()).isTrue();
        assertThat(waiting()).hasSize(1);
        writing(client).unlock();
        get(reader).close();
    }

    /** Past a writer that waits, which waits for this owner (rule 50). */
    @Test
    void aDowngradePassesThoseWhoWait() throws Exception {
        writing(client).lock();
        RFuture<LockHold> writer = queued(writing(other));
        assertThat(reading(client).tryLock(5, SECONDS)).isTrue();
        writing(client).unlock();
        assertThat(waiting()).hasSize(1);
        reading(client).unlock();
        get(writer).close();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void anUpgradeIsRefusedAndNothingIsSent(Way way) {
        RLock read = reading(client);
        read.lock();
        long before = scripts();
        assertThatThrownBy(() -> way.ask(writing(client)))
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("lock '" + NAME + "'")
                .hasMessageContaining("thread " + Thread.currentThread().getId())
                .hasMessageContaining("holds it as read and asks for it as write")
                .hasMessageContaining("release it first");
        assertThat(scripts()).isEqualTo(before);
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
    }

    /** After a downgrade the owner only reads. */
    @Test
    void aFairLockIsNoWayAroundTheRefusal() {
        reading(client).lock();
        assertThatThrownBy(fair(client)::lock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(client.getLock(NAME)::tryLock).isInstanceOf(IllegalMonitorStateException.class);
        reading(client).unlock();
    }

    /** The plain lock is the same lock: its owner may go on reading, and then its release is that of a writer. */
    @Test
    void whoHoldsThePlainLockMayGoOnReading() throws Exception {
        RLock plain = client.getLock(NAME);
        RLock read = reading(client);
        plain.lock();
        read.lock();
        RFuture<LockHold> reader = queued(reading(other));
        RFuture<LockHold> writer = queued(writing(other));
        plain.unlock();
        LockHold beside = get(reader);
        assertThat(readers()).hasSize(2);
        assertThat(other.getLock(NAME).tryLock()).isFalse();
        beside.close();
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
        get(writer).close();
        assertThat(lockKeys()).isEmpty();
    }

    /** A hand-over would let the next one in beside the reader. */
    @Test
    void thePlainLockIsNotHandedOverWhileItsOwnerReads() throws Exception {
        RLock plain = client.getLock(NAME);
        RLock read = reading(client);
        plain.lock();
        RFuture<LockHold> next = plain.acquireAsync();
        eventually(() -> assertThat(client.inspect(NAME).localWaiters()).isEqualTo(1));
        read.lock();
        plain.unlock();
        awaitQuiet();
        assertThat(next.toCompletableFuture()).isNotDone();
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
        get(next).close();
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void whatOneHalfHoldsTheOtherCannotRelease() {
        reading(client).lock();
        assertThatThrownBy(writing(client)::unlock).isInstanceOf(LockNotHeldException.class);
        reading(client).unlock();
        writing(client).lock();
        assertThatThrownBy(reading(client)::unlock).isInstanceOf(LockNotHeldException.class);
        writing(client).unlock();
    }

    @Test
    void forceOfTheReadHalfEndsEveryReaderAndLetsAWriterIn() throws Exception {
        LockHold one = reading(client).acquire();
        LockHold two = reading(other).withLease(Duration.ofMillis(900)).acquire();
        RFuture<LockHold> writer = queued(writing(other));
        assertThat(writing(client).forceUnlock()).as("nobody writes").isFalse();
        assertThat(reading(client).forceUnlock()).isTrue();
        LockHold next = get(writer);
        assertThat(get(one.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FORCED);
        assertThatThrownBy(two::release).isInstanceOf(LockLostException.class);
        next.close();
        assertThat(reading(client).forceUnlock()).isFalse();
    }

    @Test
    void forceOfTheWriteHalfEndsTheWriterAndLetsReadersIn() throws Exception {
        LockHold writer = writing(client).acquire();
        RFuture<LockHold> reader = queued(reading(other));
        assertThat(reading(other).forceUnlock()).as("nobody reads").isFalse();
        assertThat(writing(other).forceUnlock()).isTrue();
        get(reader).close();
        assertThatThrownBy(writer::release).isInstanceOf(LockLostException.class);
    }

    @Test
    void forceOfTheReadHalfWakesAPlainWaiter() throws Exception {
        LockHold reader = reading(client).acquire();
        RFuture<LockHold> plain = other.getLock(NAME).acquireAsync();
        awaitSubscribers(1);
        awaitQuiet();
        assertThat(reading(client).forceUnlock()).isTrue();
        get(plain).close();
        assertThatThrownBy(reader::release).isInstanceOf(LockLostException.class);
    }

    /** A write hold whose owner reads as well: force of one half leaves the other. */
    @Test
    void forceOfOneHalfSparesTheOther() {
        writing(client).lock();
        reading(client).lock();
        assertThat(writing(client).forceUnlock()).isTrue();
        assertThat(reading(client).isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(writing(client)::unlock).isInstanceOf(LockLostException.class);
        assertThat(reading(other).tryLock()).as("only a reader is left").isTrue();
        reading(other).unlock();
        reading(client).unlock();

        writing(client).lock();
        reading(client).lock();
        assertThat(reading(client).forceUnlock()).isTrue();
        assertThat(writing(client).isHeldByCurrentThread()).isTrue();
        assertThat(reading(other).tryLock()).isFalse();
        writing(client).unlock();
        assertThatThrownBy(reading(client)::unlock).isInstanceOf(LockLostException.class);
    }

    /** The reader keeps the lock's key alive, and would keep what ran out with it. */
    @Test
    void aWriteLeaseThatRanOutIsFreeThoughItsOwnerReadsOn() throws Exception {
        writing(client).lock(300, MILLISECONDS);
        reading(client).lock();
        assertThat(reading(other).tryLock(5, SECONDS)).isTrue();
        assertThat(writing(client).isHeldByCurrentThread()).isFalse();
        assertThat(reading(client).isHeldByCurrentThread()).isTrue();
        reading(other).unlock();
        reading(client).unlock();
        writing(other).lock();
        writing(other).unlock();
    }

    /** As an owner that has given up one half while it waits would: nothing waits for itself. */
    @Test
    void twoReadersThatWriteInTurnNeverWaitForEachOther() throws Exception {
        Runnable turns = () -> {
            for (int round = 0; round < 20; round++) {
                reading(client).lock();
                reading(client).unlock();
                writing(client).lock();
                reading(client).lock();
                writing(client).unlock();
                reading(client).unlock();
            }
        };
        CompletableFuture<Void> one = CompletableFuture.runAsync(turns);
        CompletableFuture<Void> two = CompletableFuture.runAsync(turns);
        get(one);
        get(two);
        assertThat(client.holds()).isEmpty();
    }

    @Test
    void aWriterThatReadsKeepsTheLockAsLongAsItsReadHold() {
        writing(client).lock(5, SECONDS);
        reading(client).lock(50, SECONDS);
        assertThat(raw.integer("PTTL", KEY)).isGreaterThan(40_000);
        reading(client).unlock();
        writing(client).unlock();
        assertThat(client.holds()).isEmpty();
    }

    @Test
    void aWatchedReaderOutlivesItsLease() throws Exception {
        LockHold watched = client.getReadWriteLock(NAME, Clients.watchdog(Duration.ofMillis(900)))
                .readLock()
                .acquire();
        assertThat(writing(other).tryAcquire(Duration.ofMillis(1_500))).isEmpty();
        assertThat(watched.state()).isEqualTo(HoldState.HELD);
        watched.close();
    }
}
