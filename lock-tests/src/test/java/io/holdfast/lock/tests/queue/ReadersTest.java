package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Readers among themselves and with writers (rules 49, 50, 53). */
class ReadersTest extends QueueTest {

    /** A lease that is over soon, and not before its grant has come on a busy machine. */
    private static final Duration SHORT_LEASE = Duration.ofMillis(600);

    /** More than one step of the server admits. */
    private static final int CROWD = 150;

    @Test
    void readersOfOneClientAndOfTwoReadTogether() throws Exception {
        try (LockHold first = reading(client).acquire();
                LockHold second = reading(client).acquire();
                LockHold third = reading(other).acquire()) {
            assertThat(List.of(first, second, third)).allMatch(hold -> hold.state() == HoldState.HELD);
            assertThat(readers()).hasSize(3);
            assertThat(writing(client).tryLock()).isFalse();
            assertThat(writing(other).tryLock(30, MILLISECONDS)).isFalse();
        }
        assertThat(writing(other).tryLock()).isTrue();
        writing(other).unlock();
    }

    @Test
    void aWriterWaitsForTheReadersBeforeItOnly() throws Exception {
        LockHold there = reading(client).acquire();
        LockHold alsoThere = reading(other).acquire();
        RFuture<LockHold> writer = queued(writing(client));
        RFuture<LockHold> late = queued(reading(other));
        assertThat(reading(client).tryAcquire()).as("a try passes no writer").isEmpty();
        there.close();
        assertThat(waiting()).hasSize(2);
        alsoThere.close();
        try (LockHold alone = get(writer)) {
            assertThat(waiting()).hasSize(1);
            assertThat(alone.state()).isEqualTo(HoldState.HELD);
        }
        get(late).close();
    }

    @Test
    void allReadersUpToTheNextWriterEnterTogether() throws Exception {
        LockHold first = writing(client).acquire();
        RFuture<LockHold> one = queued(reading(client));
        RFuture<LockHold> two = queued(reading(other));
        RFuture<LockHold> three = queued(reading(client));
        RFuture<LockHold> writer = queued(writing(other));
        RFuture<LockHold> behind = queued(reading(client));
        first.close();
        List<LockHold> together = List.of(get(one), get(two), get(three));
        assertThat(waiting()).hasSize(2);
        together.forEach(LockHold::close);
        get(writer).close();
        get(behind).close();
    }

    /** A step of the server admits 64: somebody has to make it take the next. */
    @Test
    void aCrowdOfReadersOfOneClientEntersTogether() throws Exception {
        LockHold writer = writing(other).acquire();
        List<RFuture<LockHold>> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(reading(client).acquireAsync());
        }
        awaitWaiting(CROWD);
        awaitSubscribers(1);
        awaitQuiet();
        long freed = System.nanoTime();
        writer.close();
        List<LockHold> together = new ArrayList<>();
        crowd.forEach(one -> together.add(get(one)));
        assertThat(Duration.ofNanos(System.nanoTime() - freed))
                .as("no reader waits for a poll")
                .isLessThan(Duration.ofSeconds(3));
        assertThat(readers()).hasSize(CROWD);
        together.forEach(LockHold::close);
    }

    @Test
    void aReEntryOfAReaderRaisesItsDeadline() {
        RLock lock = reading(client);
        lock.lock(5, SECONDS);
        lock.lock(50, SECONDS);
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(lock.remainTimeToLive()).isGreaterThan(40_000);
        lock.lock(5, SECONDS);
        assertThat(lock.remainTimeToLive()).as("never lowered").isGreaterThan(40_000);
        IntStream.range(0, 3).forEach(level -> lock.unlock());
        assertThat(lock.isLocked()).isFalse();
    }

    /** Also behind a writer that waits: else both would wait for each other (rule 50). */
    @Test
    void aReEntryOfAReaderPassesAWaitingWriter() throws Exception {
        reading(client).lock();
        RFuture<LockHold> writer = queued(writing(other));
        assertThat(reading(client).tryLock()).isTrue();
        reading(client).unlock();
        assertThat(waiting()).hasSize(1);
        reading(client).unlock();
        get(writer).close();
    }

    @Test
    void eachReadersLeaseIsItsOwn() throws Exception {
        LockHold brief = reading(client).withLease(SHORT_LEASE).acquire();
        try (LockHold lasting = reading(other).acquire()) {
            assertThat(get(brief.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.LEASE_EXPIRED);
            assertThat(lasting.state()).isEqualTo(HoldState.HELD);
            assertThat(writing(client).tryLock()).isFalse();
        }
        assertThat(writing(client).tryLock(5, SECONDS)).isTrue();
        writing(client).unlock();
        assertThatThrownBy(brief::close).isInstanceOf(LockLostException.class);
    }

    /** A short lease that ends takes nothing from the time of a longer one, and leaves none of its own behind. */
    @Test
    void theLockLivesAsLongAsItsLongestReader() throws Exception {
        LockHold lasting = reading(client).withLease(Duration.ofSeconds(40)).acquire();
        LockHold brief = reading(client).withLease(Duration.ofSeconds(5)).acquire();
        assertThat(raw.integer("PTTL", KEY)).isGreaterThan(30_000);
        lasting.close();
        assertThat(raw.integer("PTTL", KEY)).isBetween(1L, 5_000L);
        brief.close();
    }

    @Test
    void oneReaderIsLostAndTheOtherIsNotTouched() throws Exception {
        LockHold kept = reading(client).acquire();
        List<String> before = readers();
        LockHold lost = reading(client).acquire();
        String field = readers().stream()
                .filter(reader -> !before.contains(reader))
                .findFirst()
                .orElseThrow();
        raw.command("ZREM", KEY + ":readers", field);
        assertThatThrownBy(lost::release).isInstanceOf(LockLostException.class);
        assertThat(kept.state()).isEqualTo(HoldState.HELD);
        assertThat(writing(other).tryLock()).isFalse();
        kept.close();
    }

    @Test
    void everyTokenOfAReaderIsGreaterThanThatOfTheWriterBefore() throws Exception {
        long last = 0;
        for (int round = 0; round < 3; round++) {
            long writers;
            try (LockHold writer = writing(round % 2 == 0 ? client : other).acquire()) {
                writers = writer.fencingToken();
            }
            assertThat(writers).isGreaterThan(last);
            try (LockHold one = reading(client).acquire();
                    LockHold two = reading(other).acquire()) {
                assertThat(List.of(one.fencingToken(), two.fencingToken())).allMatch(token -> token > writers);
                last = Math.max(one.fencingToken(), two.fencingToken());
            }
        }
    }

    /** What rule 53 is for: a writer that lost its hold writes late, and a reader has been seen meanwhile. */
    @Test
    void aLateWriteIsRefusedOnceAReaderWasSeen() throws Exception {
        FencedValue value = client.getFencedValue("guarded");
        LockHold late = writing(client).acquire();
        long lateToken = late.fencingToken();
        assertThat(value.set("first", lateToken)).isTrue();
        assertThat(writing(other).forceUnlock()).isTrue();
        try (LockHold one = reading(other).acquire();
                LockHold two = reading(client).acquire()) {
            assertThat(value.get(two.fencingToken())).contains("first");
            assertThat(value.get(one.fencingToken())).contains("first");
            assertThat(value.set("late", lateToken)).isFalse();
        }
        assertThatThrownBy(late::close).isInstanceOf(LockLostException.class);
        try (LockHold next = writing(client).acquire()) {
            assertThat(value.set("second", next.fencingToken())).isTrue();
        }
    }
}
