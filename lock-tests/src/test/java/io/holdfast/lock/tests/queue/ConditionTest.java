package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions of a fair lock between two clients (rules 63, 64). */
class ConditionTest extends QueueTest {

    private static final String CONDITION = KEY + ":cond:full";
    /** Far sooner than a poll, and not too soon for a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static RCondition full(LockClient of) {
        return fair(of).newCondition("full");
    }

    private List<String> awaiting() {
        return raw.list("ZRANGE", CONDITION, "0", "-1");
    }

    private void awaitAwaiting(int number) {
        eventually(() -> assertThat(awaiting()).hasSize(number));
    }

    /** What a call returns, by a thread that has given the lock up when this method returns; or that has it again. */
    private <T> Background<T> awaits(LockClient of, Call<T> call) {
        Background<T> background = Background.call(() -> {
            fair(of).lock();
            try {
                return call.on(full(of));
            } finally {
                fair(of).unlock();
            }
        });
        String members = "w" + of.id() + ':' + background.thread().getId() + ':';
        eventually(() -> assertThat(
                        background.isDone() || awaiting().stream().anyMatch(member -> member.startsWith(members)))
                .isTrue());
        return background;
    }

    private interface Call<T> {
        T on(RCondition condition) throws Exception;
    }

    private static boolean awaited(RCondition condition) throws InterruptedException {
        condition.await();
        return true;
    }

    private void signal(LockClient of, boolean all) {
        fair(of).lock();
        try {
            if (all) {
                full(of).signalAll();
            } else {
                full(of).signal();
            }
        } finally {
            fair(of).unlock();
        }
    }

    @Test
    void aSignalWakesTheOneThatCameFirst() throws Exception {
        Background<Boolean> first = awaits(client, ConditionTest::awaited);
        Background<Boolean> second = awaits(other, ConditionTest::awaited);
        assertThat(Stored.exists(raw, NAME)).isFalse();
        signal(other, false);
        assertThat(first.result()).isTrue();
        assertThat(second.isDone()).isFalse();
        signal(client, false);
        assertThat(second.result()).isTrue();
    }

    @Test
    void signalAllWakesAllInTheirOrder() throws Exception {
        List<Integer> order = new ArrayList<>();
        List<Background<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int number = i;
            calls.add(awaits(i % 3 == 0 ? client : other, condition -> {
                condition.await();
                return order.add(number);
            }));
        }
        signal(client, true);
        for (Background<Boolean> call : calls) {
            call.result();
        }
        assertThat(order).hasSize(12).isSorted();
        assertThat(awaiting()).isEmpty();
    }

    /** As many levels, with their leases, and another token. */
    @Test
    void itHasTheLockAsOftenAgainUnderANewToken() throws Exception {
        List<Object> seen = new ArrayList<>();
        Background<Boolean> call = awaits(client, condition -> {
            RLock lock = fair(client);
            lock.lock(40, TimeUnit.SECONDS);
            lock.lock();
            long token = lock.getFencingToken();
            condition.await();
            seen.add(lock.getHoldCount());
            seen.add(Stored.holdCount(raw, NAME));
            seen.add(lock.getFencingToken() > token);
            lock.unlock();
            lock.unlock();
            seen.add(lock.getHoldCount());
            return true;
        });
        signal(other, false);
        call.result();
        assertThat(seen).containsExactly(3, 3, true, 1);
        assertThat(Stored.exists(raw, NAME)).isFalse();
    }

    @Test
    void aHoldThatIsRenewedIsRenewedAgain() throws Exception {
        RLock lock = fair(client).withLease(Duration.ofMillis(300));
        lock.lock(-1, TimeUnit.MILLISECONDS);
        lock.newCondition("full").await(10, TimeUnit.MILLISECONDS);
        long ends = System.nanoTime() + Duration.ofMillis(100).toNanos();
        while (System.nanoTime() < ends) {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        }
        lock.unlock();
    }

    @Test
    void anEndOfTheTimeIsToldWithTheLock() throws Exception {
        RLock lock = fair(client);
        lock.lock();
        assertThat(full(client).await(30, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(full(client).await(0, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(full(client).awaitNanos(1_000)).isNotPositive();
        assertThat(full(client).awaitUntil(Date.from(Instant.now().plusMillis(30))))
                .isFalse();
        assertThat(get(full(client).awaitAsync(10, TimeUnit.MILLISECONDS))).isFalse();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(awaiting()).isEmpty();
    }

    @Test
    void aSignalInTimeIsTold() throws Exception {
        Background<Long> nanos = awaits(client, condition -> condition.awaitNanos(TimeUnit.MINUTES.toNanos(1)));
        signal(other, false);
        assertThat(nanos.result()).isBetween(TimeUnit.SECONDS.toNanos(30), TimeUnit.MINUTES.toNanos(1));
        Background<Boolean> until = awaits(
                client,
                condition -> condition.awaitUntil(Date.from(Instant.now().plusSeconds(60))));
        signal(other, false);
        assertThat(until.result()).isTrue();
    }

    /** It leaves while another owner has the lock: it stands in the queue until that is over, and was signalled by none. */
    @Test
    void anEndOfTheTimeIsNotToldBeforeItHasTheLock() throws Exception {
        Background<Boolean> call = awaits(client, condition -> condition.await(1_500, TimeUnit.MILLISECONDS));
        LockHold holder = fair(other).acquire();
        awaitWaiting(1);
        assertThat(awaiting()).isEmpty();
        assertThat(call.isDone()).isFalse();
        holder.close();
        assertThat(call.result()).isFalse();
    }

    /** The signal comes first, and the end of the time finds the call in the lock's queue. */
    @Test
    void anEndOfTheTimeAfterASignalIsNone() throws Exception {
        Background<Boolean> call = awaits(client, condition -> condition.await(1_500, TimeUnit.MILLISECONDS));
        fair(other).lock();
        full(other).signal();
        awaitWaiting(1);
        long before = scripts();
        eventually(() -> assertThat(scripts()).isGreaterThan(before));
        fair(other).unlock();
        assertThat(call.result()).isTrue();
    }

    /** Each signal wakes one call: whichever of the two comes first, none is taken by a call that says it timed out. */
    @Tag("proof")
    @RepeatedTest(15)
    void aSignalThatMeetsAnEndOfTheTimeIsTakenByOneCall(RepetitionInfo round) throws Exception {
        AtomicLong began = new AtomicLong();
        Background<Boolean> leaving = awaits(client, condition -> {
            began.set(System.nanoTime());
            return condition.await(400, TimeUnit.MILLISECONDS);
        });
        Background<Boolean> staying = awaits(other, condition -> condition.await(2, TimeUnit.MINUTES));
        fair(client).lock();
        long due = began.get() + TimeUnit.MICROSECONDS.toNanos(398_000 + 300L * round.getCurrentRepetition());
        while (System.nanoTime() - due < 0) {
            Thread.onSpinWait();
        }
        full(client).signal();
        fair(client).unlock();
        if (leaving.result()) {
            assertThat(awaiting()).hasSize(1);
            signal(client, false);
        }
        assertThat(staying.result()).isTrue();
    }

    @Test
    void anInterruptIsToldWithTheLock() throws Exception {
        AtomicBoolean held = new AtomicBoolean();
        Background<Boolean> call = awaits(client, condition -> {
            try {
                return awaited(condition);
            } catch (InterruptedException interrupted) {
                held.set(fair(client).isHeldByCurrentThread()
                        && !Thread.currentThread().isInterrupted());
                return false;
            }
        });
        LockHold holder = fair(other).acquire();
        call.interrupt();
        awaitWaiting(1);
        assertThat(call.isDone()).isFalse();
        holder.close();
        assertThat(call.result()).isFalse();
        assertThat(held).isTrue();
    }

    /** It was signalled already: it returns as such, and the flag stays. */
    @Test
    void anInterruptAfterTheSignalStaysAFlag() throws Exception {
        Background<Boolean> call = awaits(client, condition -> {
            condition.await();
            return Thread.interrupted();
        });
        fair(other).lock();
        full(other).signal();
        call.interrupt();
        eventually(() -> assertThat(waiting()).hasSize(1));
        fair(other).unlock();
        assertThat(call.result()).isTrue();
    }

    @Test
    void awaitUninterruptiblyGoesOnAndKeepsTheFlag() throws Exception {
        Background<Boolean> call = awaits(client, condition -> {
            condition.awaitUninterruptibly();
            return Thread.interrupted();
        });
        call.interrupt();
        awaitQuiet();
        assertThat(awaiting()).hasSize(1);
        signal(other, false);
        assertThat(call.result()).isTrue();
    }

    @Test
    void aThreadThatIsInterruptedBeforeKeepsTheLock() {
        fair(client).lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(full(client)::await).isInstanceOf(InterruptedException.class);
        assertThat(fair(client).isHeldByCurrentThread()).isTrue();
        fair(client).unlock();
    }

    @Test
    void onlyTheHolderAwaitsAndSignals() throws Exception {
        LockHold holder = fair(client).acquire();
        awaitQuiet();
        long before = scripts();
        for (RCondition condition : List.of(full(client), full(other))) {
            assertThatThrownBy(condition::await)
                    .isInstanceOf(LockNotHeldException.class)
                    .hasMessageContaining("lock '" + NAME + "'");
            assertThatThrownBy(condition::signal).isInstanceOf(LockNotHeldException.class);
            assertThatThrownBy(condition::signalAll).isInstanceOf(LockNotHeldException.class);
            assertThatThrownBy(() -> get(condition.signalAsync())).hasMessageContaining("lock '" + NAME + "'");
            assertThatThrownBy(() -> get(condition.awaitAsync())).hasMessageContaining("lock '" + NAME + "'");
        }
        assertThat(scripts()).isEqualTo(before);
        holder.close();
    }

    /** The server has forgotten the hold before it is given up: the call neither awaits nor has the lock. */
    @Test
    void aHoldThatWasLostIsTold() throws Exception {
        RLock lock = fair(client);
        lock.lock();
        raw.command("DEL", KEY);
        assertThatThrownBy(full(client)::await)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("lock '" + NAME + "'");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        raw.command("DEL", KEY);
        assertThatThrownBy(full(client)::signal).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void whatItWouldKeepIsRefused() {
        RLock lock = fair(client);
        lock.lock();
        reading(client).lock();
        assertThatThrownBy(full(client)::await)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("holds the read lock as well");
        reading(client).unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void asynchronousCallsAwaitForTheOwnerThatIsNamed() {
        get(fair(client).lockAsync(77));
        RFuture<Void> call = full(client).awaitAsync(77);
        awaitAwaiting(1);
        get(fair(other).lockAsync(78));
        get(full(other).signalAllAsync(78));
        get(fair(other).unlockAsync(78));
        get(call);
        assertThat(fair(client).isHeldByThread(77)).isTrue();
        get(fair(client).unlockAsync(77));
    }

    @Test
    void aCancelledCallLeavesNothing() {
        get(fair(client).lockAsync(77));
        RFuture<Void> call = full(client).awaitAsync(77);
        awaitAwaiting(1);
        call.toCompletableFuture().cancel(true);
        awaitAwaiting(0);
        assertThat(fair(client).isHeldByThread(77)).isFalse();
        assertThat(fair(other).tryLock()).isTrue();
        fair(other).unlock();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closingEndsACallAndLeavesNothing(boolean signalled) throws Exception {
        LockClient leaving = connect();
        Background<Boolean> call = Background.call(() -> {
            fair(leaving).lock();
            return awaited(full(leaving));
        });
        awaitAwaiting(1);
        fair(other).lock();
        if (signalled) {
            full(other).signal();
            awaitWaiting(1);
        }
        leaving.close();
        assertThatThrownBy(call::result).isInstanceOf(LockClientClosedException.class);
        eventually(() -> assertThat(awaiting()).isEmpty());
        fair(other).unlock();
    }

    /** To await is a release, and the place that it needs is allowed. */
    @Test
    void theyWorkWithMemoryFull() throws Exception {
        Background<Boolean> first = awaits(client, ConditionTest::awaited);
        fair(other).lock();
        raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        raw.command("CONFIG", "SET", "maxmemory", "1");
        try {
            full(other).signal();
            assertThat(full(other).await(100, TimeUnit.MILLISECONDS)).isFalse();
            fair(other).unlock();
            assertThat(first.result()).isTrue();
        } finally {
            raw.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void itGoesOnAfterAScriptFlush() throws Exception {
        Background<Boolean> call = awaits(client, ConditionTest::awaited);
        raw.command("SCRIPT", "FLUSH");
        fair(other).lock();
        raw.command("SCRIPT", "FLUSH");
        full(other).signal();
        raw.command("SCRIPT", "FLUSH");
        fair(other).unlock();
        assertThat(call.result()).isTrue();
    }

    /** The data are gone: each call wakes by itself, which a loop around the predicate allows. */
    @Test
    void afterALossOfDataACallWakesByItself() throws Exception {
        Background<Boolean> call = awaits(client, ConditionTest::awaited);
        awaitListening();
        raw.command("FLUSHALL");
        raw.command("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(call.result()).isTrue();
    }

    /** A call of a client that is away is passed: the signal goes to the next. */
    @Test
    void aSignalPassesAClientThatIsNotPresent() throws Exception {
        raw.command("ZADD", CONDITION, "0", "wdead:1:1");
        raw.command("PEXPIRE", CONDITION, "15000");
        Background<Boolean> call = Background.call(() -> {
            fair(client).lock();
            full(client).await();
            fair(client).unlock();
            return true;
        });
        awaitAwaiting(2);
        signal(other, false);
        assertThat(call.result()).isTrue();
        assertThat(awaiting()).isEmpty();
    }

    /** The signalled client is dead: it costs a claim window, as a dead one in the queue does, and the lock goes on. */
    @Test
    void aDeadOneThatWasSignalledTakesTheSignalWithIt() throws Exception {
        raw.command("ZADD", CONDITION, "0", "wdead:1:1");
        raw.command("PEXPIRE", CONDITION, "15000");
        String now = raw.list("TIME").get(0);
        raw.command("ZADD", KEY + ":cond-seen:full", (Long.parseLong(now) + 15) + "000", "dead");
        raw.command("PEXPIRE", KEY + ":cond-seen:full", "15000");
        Background<Boolean> alive = awaits(client, ConditionTest::awaited);
        signal(other, false);
        assertThat(fair(other).tryLock(5, TimeUnit.SECONDS)).isTrue();
        assertThat(alive.isDone()).isFalse();
        full(other).signal();
        fair(other).unlock();
        assertThat(alive.result()).isTrue();
    }

    @Test
    void whoAwaitsIsSeen() throws Exception {
        Background<Boolean> call = awaits(client, ConditionTest::awaited);
        assertThat(client.waiters()).singleElement().satisfies(waiter -> assertThat(waiter.name())
                .isEqualTo(NAME));
        assertThat(client.holds()).isEmpty();
        assertThat(fair(other).isLocked()).isFalse();
        signal(other, false);
        call.result();
        assertThat(client.waiters()).isEmpty();
    }

    /** A lock that the owner has taken as a plain one can be given up as well. */
    @Test
    void aHoldOfThePlainLockIsGivenUp() throws Exception {
        RLock plain = client.getLock(NAME);
        plain.lock();
        assertThat(full(client).await(20, TimeUnit.MILLISECONDS)).isFalse();
        plain.unlock();
        assertThat(plain.isLocked()).isFalse();
    }

    /** A waiter of this very client comes next when the lock is given up. */
    @Test
    void whatIsGivenUpGoesToTheNextAtOnce() throws Exception {
        fair(client).lock();
        RFuture<LockHold> next = queued(fair(client));
        RFuture<LockHold> plain = client.getLock(NAME).acquireAsync();
        long began = System.nanoTime();
        RFuture<Void> call = full(client).awaitAsync();
        LockHold held = get(next);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        held.close();
        get(plain).close();
        signal(other, false);
        get(call);
        fair(client).unlock();
    }
}
