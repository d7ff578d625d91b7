package io.holdfast.lock.tests.multi;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Interruptible;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Whatever ends the taking of several locks, what was taken is given back; and one wait covers all. */
class MultiLockExitTest extends ServerTest {

    private LockClient client;
    private RLock all;
    private LockHold last;

    @BeforeEach
    void holdTheLastMember() throws Exception {
        client = connect();
        all = MultiLock.of(client.getLock("a"), client.getLock("b"), client.getLock("c"));
        last = connect().getLock("c").acquire();
    }

    @AfterEach
    void nothingButTheLastMemberIsHeld() {
        eventually(() -> assertThat(lockKeys()).isSubsetOf("holdfast:{c}"));
        last.releaseAsync();
    }

    @Test
    void theWaitIsOver() throws Exception {
        long start = System.nanoTime();
        assertThat(all.tryLock(300, MILLISECONDS)).isFalse();
        assertThat(NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(300L, 1_000L);
    }

    /** Not one wait for each: the second member gets what the first has left. */
    @Test
    void oneWaitCoversAllMembers() throws Exception {
        LockHold first =
                connect().getLock("a").withLease(Duration.ofMillis(400)).acquire();
        long start = System.nanoTime();
        assertThat(all.tryLock(600, MILLISECONDS)).isFalse();
        assertThat(NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(600L, 1_300L);
        first.lost();
    }

    @Test
    void theThreadIsInterrupted() {
        Interruptible waiter = Interruptible.start(() -> all.lockInterruptibly());
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        waiter.awaitParked();
        waiter.interrupt();
        waiter.awaitInterrupted();
    }

    /** Defect 14 of Redisson 4.7.0: its MultiLock swallows the InterruptedException. */
    @Test
    void anInterruptIsHeardInEveryForm() {
        for (Interruptible.Step step : new Interruptible.Step[] {
            () -> all.tryLock(60, SECONDS),
            () -> all.tryLock(60, 60, SECONDS),
            () -> all.lockInterruptibly(60, SECONDS),
            () -> all.acquire(),
            () -> all.tryAcquire(Duration.ofSeconds(60), Duration.ofSeconds(60)),
        }) {
            Interruptible waiter = Interruptible.start(step);
            eventually(() -> assertThat(lockKeys()).hasSize(3));
            waiter.awaitParked();
            waiter.interrupt();
            waiter.awaitInterrupted();
            eventually(() -> assertThat(lockKeys()).containsExactly("holdfast:{c}"));
        }
    }

    @Test
    void anInterruptBeforeTheCallTakesNothing() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> all.tryLock(1, SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(lockKeys()).containsExactly("holdfast:{c}");
    }

    @Test
    void anUninterruptibleWaitKeepsTheFlag() {
        Interruptible waiter = Interruptible.start(() -> {
            all.lock();
            boolean kept = Thread.interrupted();
            all.unlock();
            assertThat(kept).isTrue();
        });
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        waiter.awaitParked();
        waiter.interrupt();
        get(last.releaseAsync());
        waiter.awaitEnd();
    }

    @Test
    void theFutureIsCancelled() {
        RFuture<LockHold> future = all.acquireAsync();
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        assertThat(future.cancel(false)).isTrue();
        eventually(() -> assertThat(lockKeys()).containsExactly("holdfast:{c}"));
    }

    @RepeatedTest(40)
    void theFutureIsCancelledAtAnyMoment(RepetitionInfo repetition) {
        get(last.releaseAsync());
        RFuture<LockHold> future = all.acquireAsync();
        long cancelAt = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(20L * repetition.getCurrentRepetition());
        while (System.nanoTime() < cancelAt) {
            Thread.onSpinWait();
        }
        if (!future.cancel(false)) {
            get(future).close();
        }
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    @Test
    void aMemberFails() {
        raw.command("SET", "holdfast:{b}", "not a lock");
        try {
            assertThatThrownBy(all::lock)
                    .isInstanceOf(LockServerException.class)
                    .hasMessageContaining("lock 'b'");
            eventually(() -> assertThat(lockKeys()).containsExactlyInAnyOrder("holdfast:{b}", "holdfast:{c}"));
        } finally {
            raw.command("DEL", "holdfast:{b}");
        }
    }

    @Test
    void theClientIsClosed() {
        RFuture<LockHold> future = all.acquireAsync();
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        client.close();
        assertThatThrownBy(() -> get(future)).isInstanceOf(LockClientClosedException.class);
        assertThat(lockKeys()).containsExactly("holdfast:{c}");
    }

    /** What was taken first is kept alive while the last is waited for; then every member gets the lease. */
    @Test
    void aLongWaitWithAShortLeaseLosesNothing() throws Exception {
        RFuture<Boolean> call = all.tryLockAsync(10_000, 300, MILLISECONDS, 7);
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        String taken = raw.list("HKEYS", "holdfast:{a}").toString();
        assertThat(taken).as("the fields of the lock that is held meanwhile").isNotEqualTo("[]");
        long start = System.nanoTime();
        eventually(() -> assertThat(System.nanoTime() - start).isGreaterThan(MILLISECONDS.toNanos(1_000)));
        assertThat(raw.list("HKEYS", "holdfast:{a}")).hasToString(taken);

        get(last.releaseAsync());

        assertThat(get(call)).isTrue();
        assertThat(raw.integer("PTTL", "holdfast:{a}")).isBetween(200L, 300L);
        assertThat(raw.integer("PTTL", "holdfast:{c}")).isBetween(200L, 300L);
        eventually(() ->
                assertThat(lockKeys()).as("the lease is as it was asked for").isEmpty());
    }

    /** Defect 13 of Redisson 4.7.0: after one failed round the time to live is 1,999,997 ms. */
    @Test
    void aLeaseIsWhatWasAskedForAlsoAfterAFailedRound() throws Exception {
        RFuture<Void> call = all.lockAsync(2, SECONDS, 7);
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        get(last.releaseAsync());
        get(call);
        for (String name : new String[] {"a", "b", "c"}) {
            assertThat(raw.integer("PTTL", "holdfast:{" + name + "}")).isBetween(1_500L, 2_000L);
        }
        get(all.unlockAsync(7));
    }

    @Test
    void aMemberThatIsLostOnTheWayIsTakenAgain() throws Exception {
        RFuture<LockHold> call = all.acquireAsync();
        eventually(() -> assertThat(lockKeys()).hasSize(3));
        client.getLock("a").forceUnlock();
        get(last.releaseAsync());

        LockHold hold = get(call);
        assertThat(lockKeys()).hasSize(3);
        hold.close();
    }
}
