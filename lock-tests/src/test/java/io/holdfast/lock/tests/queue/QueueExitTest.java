package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.support.Interruptible;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call that ends before its turn leaves no place in the queue, and the next one gets the lock at once (rule 45). */
class QueueExitTest extends QueueTest {

    /** Far sooner than a claim window. */
    private static final Duration AT_ONCE = Duration.ofMillis(700);
    /** And a little more. */
    private static final Duration CLAIM_WINDOW = Duration.ofMillis(1_100);

    /** Ways in which a call leaves. */
    enum Way {
        TIME_OUT {
            @Override
            Runnable begin(LockClient leaving, RLock lock) {
                Background<Boolean> call = Background.call(() -> lock.tryLock(400, MILLISECONDS));
                return () -> assertThat(result(call)).isFalse();
            }
        },
        INTERRUPT {
            @Override
            Runnable begin(LockClient leaving, RLock lock) {
                Interruptible call = Interruptible.start(lock::lockInterruptibly);
                return () -> {
                    call.interrupt();
                    call.awaitInterrupted();
                };
            }
        },
        CANCEL {
            @Override
            Runnable begin(LockClient leaving, RLock lock) {
                RFuture<LockHold> call = lock.acquireAsync();
                return () -> assertThat(call.toCompletableFuture().cancel(true)).isTrue();
            }
        },
        CLOSE {
            @Override
            Runnable begin(LockClient leaving, RLock lock) {
                RFuture<LockHold> call = lock.acquireAsync();
                return () -> {
                    leaving.close();
                    eventually(() -> assertThat(call.toCompletableFuture()).isCompletedExceptionally());
                };
            }
        };

        /** Begins a call; what is returned ends it. */
        abstract Runnable begin(LockClient leaving, RLock lock);

        private static boolean result(Background<Boolean> call) {
            try {
                return call.result();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFairCallThatLeavesMakesRoomForTheNext(Way way) throws Exception {
        LockClient leaving = connect();
        LockHold first = fair(client).acquire();
        Runnable leave = way.begin(leaving, fair(leaving));
        awaitWaiting(1);
        RFuture<LockHold> next = fair(other).acquireAsync();
        leave.run();
        eventually(() -> assertThat(waiting()).hasSize(1));
        awaitSubscribers(1);
        awaitQuiet();
        assertGrantedAtOnce(first, next);
    }

    /** A writer that leaves lets the readers behind it in, though no hold has ended. */
    @ParameterizedTest
    @EnumSource
    void aWriterThatLeavesLetsTheReadersBehindItIn(Way way) throws Exception {
        LockClient leaving = connect();
        LockHold reader = reading(client).acquire();
        Runnable leave = way.begin(leaving, writing(leaving));
        awaitWaiting(1);
        RFuture<LockHold> behind = reading(other).acquireAsync();
        leave.run();
        get(behind).close();
        reader.close();
        assertThat(waiting()).isEmpty();
    }

    /** It leaves at the moment of its turn: what is reserved for it goes to the next. */
    @Test
    void aCallThatIsCancelledAtItsTurnGivesItToTheNext() throws Exception {
        for (int round = 0; round < 30; round++) {
            LockHold first = fair(client).acquire();
            RFuture<LockHold> leaving = queued(fair(other));
            RFuture<LockHold> next = queued(fair(client));
            Background<Boolean> release = Background.run(first::close);
            long until = System.nanoTime() + round * 50_000L;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            if (!leaving.toCompletableFuture().cancel(true)) {
                get(leaving).close();
            }
            release.result();
            long began = System.nanoTime();
            get(next).close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
            eventually(() -> assertThat(lockKeys()).isEmpty());
        }
    }

    /**
     * What was reserved for a call lowers the presence of its client to the claim window (rule 46). The call leaves before it hears of
     * that; its client lives, and keeps the places of its other calls.
     */
    @Test
    void aCallThatLeavesItsReservationCostsNoPlaceOfItsClient() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> leaving = queued(fair(other));
        RFuture<LockHold> second = queued(fair(client));
        RFuture<LockHold> deputy = queued(fair(connect()));
        RFuture<LockHold> third = queued(fair(other));
        RFuture<LockHold> fourth = queued(fair(client));
        awaitSubscribers(3);
        awaitQuiet();
        admitUnheard();
        leaving.toCompletableFuture().cancel(true);
        LockHold held = get(second);
        AtomicBoolean passed = new AtomicBoolean();
        third.thenAccept(hold -> passed.set(fourth.toCompletableFuture().isDone()));
        await().pollDelay(CLAIM_WINDOW).until(() -> true);
        held.close();
        get(deputy).close();
        get(third).close();
        get(fourth).close();
        assertThat(passed).isFalse();
        first.releaseAsync();
    }

    /** The lock is freed by its holder, and reserved for the first in the queue; the message is lost. */
    private void admitUnheard() {
        String first = waiting().get(0).substring(1);
        List<String> time = raw.list("TIME");
        long nowMillis = Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
        raw.command("ZPOPMIN", KEY + ":queue");
        raw.command("DEL", KEY);
        raw.command("HSET", KEY, first, "1", "token", "1");
        raw.command("PEXPIRE", KEY, "1000");
        raw.command("ZADD", KEY + ":seen", Long.toString(nowMillis + 1_000), first.substring(0, first.indexOf(':')));
    }

    /** With the server silent at the time of leaving: the place is given back when it speaks again. */
    @Test
    void aCallThatLeavesWhileTheServerIsSilentLeavesNoPlace() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> leaving = queued(fair(other));
        awaitQuiet();
        redis.pause();
        leaving.toCompletableFuture().cancel(true);
        redis.resume();
        awaitWaiting(0);
        first.close();
        assertThat(fair(other).tryLock()).isTrue();
        fair(other).unlock();
    }

    private static void assertGrantedAtOnce(LockHold holder, RFuture<LockHold> next) {
        long freed = System.nanoTime();
        holder.close();
        LockHold granted = get(next);
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(AT_ONCE);
        granted.close();
    }
}
