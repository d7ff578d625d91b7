package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A hold's life: renewal, loss, release and the end of the client, with answers that come at the wrong time. */
class HoldOrderTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");
    private final List<LockLoss> losses = new ArrayList<>();

    @Test
    void aWatchedHoldIsRenewedByAThirdOfItsLease() {
        Sent acquire = hold();

        backend.runtime.advanceMillis(8_749);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1_252);

        assertThat(backend.next("renew").args).containsExactly(acquire.field(), "30000");
    }

    @Test
    void aConfirmedRenewalCountsFromBeforeItWasSent() {
        LockHold hold = handle();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("renew");
        Duration before = hold.validFor();
        backend.runtime.advanceMillis(700);

        renewal.done();

        assertThat(hold.validFor()).isBetween(before, Duration.ofMillis(30_000 - 302 - 700));
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aValidityShorterThanAnyLeaseCanBeEnsured() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofMillis(100)).acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        backend.runtime.advanceMillis(94);

        assertThatThrownBy(() -> call.join().ensure(Duration.ofMillis(5)))
                .as("it asks for an extension, for which this thread must not wait")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("extend");
    }

    @Test
    void anUndoOutlivesARefusalThatPasses() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        Sent attempt = backend.next("acquire");
        call.cancel(false);
        attempt.disconnected();
        backend.open().forEach(undo -> undo.fault(Fault.Kind.WRONGPASS, false));
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(50);

        assertThat(backend.next("release").field()).isEqualTo(attempt.field());
    }

    @Test
    void aFailedRenewalMakesTheHoldUncertainAndIsRepeated() {
        LockHold hold = handle();
        backend.runtime.advanceMillis(10_000);

        backend.next("renew").disconnected();
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);

        backend.runtime.advanceMillis(50);
        backend.next("renew").done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aRenewalConfirmedAfterTheValidityHasPassedChangesNothing() {
        LockHold hold = handle();
        String field = backend.sent.get(0).field();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("renew");
        backend.runtime.jumpMillis(19_699);

        renewal.done();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.NOT_RENEWED);
        assertThat(backend.next("release").args.subList(0, 2)).containsExactly(field, "0");
        assertThat(backend.open()).hasSize(1);
    }

    @Test
    void aRenewalConfirmedJustBeforeTheValidityPassesIsApplied() {
        LockHold hold = handle();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("renew");
        backend.runtime.jumpMillis(19_697);

        renewal.done();

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(losses).isEmpty();
    }

    @Test
    void theStateIsRightBeforeAnyTimerHasRun() {
        LockHold hold = handle();
        backend.runtime.jumpMillis(29_699);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(hold::fencingToken).isInstanceOf(LockLostException.class);
        backend.runtime.advanceMillis(1);
        assertThat(losses).hasSize(1);
        assertThat(backend.next("release").args.get(1)).isEqualTo("0");
    }

    @Test
    void aReentryConfirmedAfterTheValidityHasPassedReportsTheLoss() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        Sent reentry = backend.next("reenter");
        backend.runtime.jumpMillis(29_699);

        reentry.done();

        assertFailed(again, LockLostException.class);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void aRenewalThatFindsNothingIsALoss() {
        LockHold hold = handle();
        backend.runtime.advanceMillis(10_000);
        backend.next("renew").gone();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.KEY_GONE);
    }

    @Test
    void eachCallbackHearsOfALossByItselfAndInOrder() {
        Deque<Runnable> errands = new ArrayDeque<>();
        backend.runtime.losses(errands::add);
        List<String> told = new ArrayList<>();
        LockHold hold = handle().onLost(loss -> told.add("second")).onLost(loss -> told.add("third"));
        hold.lost().thenAccept(loss -> told.add("stage"));
        backend.runtime.advanceMillis(10_000);
        backend.next("renew").gone();
        assertThat(errands).hasSize(4);
        errands.forEach(Runnable::run);
        assertThat(losses).hasSize(1);
        assertThat(told).containsExactly("second", "third", "stage");

        errands.clear();
        hold.onLost(loss -> told.add("late"));
        assertThat(told).as("on the thread that registers it").doesNotContain("late");
        errands.forEach(Runnable::run);
        assertThat(told).endsWith("late");
    }

    @Test
    void renewalEndsBeforeTheReleaseIsSent() {
        hold();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("renew");
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        assertThat(lock.isHeldByThread(1)).isFalse();
        renewal.disconnected();

        backend.runtime.advanceMillis(60_000);
        backend.next("release").done();

        assertThat(release).isCompleted();
        assertThat(losses).isEmpty();
        assertThat(backend.sent.stream().filter(call -> call.script().equals("renew")))
                .hasSize(1);
    }

    @Test
    void aRepeatedReleaseThatFindsNothingIsASuccess() {
        Sent acquire = hold();
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").disconnected();
        backend.runtime.advanceMillis(50);

        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
        backend.next("release").gone();

        assertThat(release).isCompleted();
    }

    @Test
    void aFirstReleaseThatFindsNothingTellsOfTheLoss() {
        hold();
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").gone();

        assertFailed(release, LockLostException.class);
    }

    @Test
    void releasesBeyondTheHoldCountOfALostHoldEndToo() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        CompletableFuture<Void> owed = lock.unlockAsync(1).toCompletableFuture();
        CompletableFuture<Void> tooMany = lock.unlockAsync(1).toCompletableFuture();

        backend.next("reenter").gone();

        assertFailed(again, LockLostException.class);
        assertFailed(owed, LockLostException.class);
        assertFailed(tooMany, LockNotHeldException.class);
    }

    @Test
    void aLossSendsTheReleaseFirstAndTheHeadsAttemptBehindIt() {
        Sent acquire = hold();
        lock.tryLockAsync(60, -1, SECONDS, 2);
        backend.reconnected();

        backend.next("renew").gone();

        assertThat(backend.open()).extracting(Sent::script).containsExactly("release", "acquire");
        assertThat(backend.open().get(0).field()).isEqualTo(acquire.field());
        assertThat(backend.open().get(1).field()).startsWith("c:2:");
    }

    @Test
    void aReleaseDuringTheHeadsAttemptIsWorthOneMoreAttempt() {
        Sent acquire = hold();
        lock.tryLockAsync(60, -1, SECONDS, 2);
        backend.topic().publish();
        Sent attempt = backend.next("acquire");

        lock.unlockAsync(1);
        Sent release = backend.open().get(1);
        assertThat(release.script()).isEqualTo("release");
        assertThat(release.field()).isEqualTo(acquire.field());
        attempt.refused(5_000);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("release", "acquire");
    }

    @Test
    void aReconnectAsksAfterEveryHoldAtOnceAlsoThoseWithAFixedLease() {
        Sent watched = hold();
        client.getLock("bread").tryLockAsync(0, 20, SECONDS, 2);
        Sent fixed = backend.next("acquire");
        fixed.granted(8);

        backend.reconnected();

        Sent round = backend.next("renew");
        assertThat(round.keys).containsExactlyInAnyOrder(watched.keys.get(0), fixed.keys.get(0));
        assertThat(round.args).containsExactlyInAnyOrder(watched.field(), "30000", fixed.field(), "1");
        round.gone();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void manyHoldsAreRenewedInFewCallsOneAtATime() {
        for (int i = 0; i < 250; i++) {
            client.getLock("stock:" + i).tryLockAsync(i);
            backend.next("acquire").granted(i + 1);
        }
        backend.reconnected();

        List<Integer> sizes = new ArrayList<>();
        while (!backend.open().isEmpty()) {
            assertThat(backend.open()).hasSize(1);
            sizes.add(backend.next("renew").keys.size());
            backend.next("renew").done();
        }
        assertThat(sizes).containsExactly(100, 100, 50);
    }

    @Test
    void closingFailsWaitersLosesHoldsReleasesThemAndDisconnectsLast() {
        LockHold hold = handle();
        CompletableFuture<Boolean> waiter =
                lock.tryLockAsync(60, -1, SECONDS, 2).toCompletableFuture();
        List<String> order = new ArrayList<>();
        waiter.whenComplete((granted, failure) -> order.add("waiter failed"));
        hold.lost().thenAccept(loss -> order.add("hold " + loss.reason()));

        client.close();
        client.close();

        assertThat(order).containsExactly("waiter failed", "hold CLIENT_CLOSED");
        assertFailed(waiter, LockClientClosedException.class);
        assertThat(backend.isClosed()).isFalse();
        backend.next("release").done();
        assertThat(backend.isClosed()).isTrue();
        backend.assertNothingOpen();
        assertFailed(lock.tryLockAsync(3).toCompletableFuture(), LockClientClosedException.class);
        assertThat(backend.topics).allMatch(topic -> topic.closed);
    }

    @Test
    void aClientThatIsBeingClosedAsksForNothing() {
        hold();
        client.close();
        backend.next("release");

        CompletableFuture<Boolean> late = lock.tryLockAsync(2).toCompletableFuture();

        assertFailed(late, LockClientClosedException.class);
        assertThat(backend.open()).extracting(Sent::script).containsExactly("release");
    }

    @Test
    void closingWaitsNoLongerThanOneCommandForTheServer() {
        handle();
        client.close();

        backend.runtime.advanceMillis(999);
        assertThat(backend.isClosed()).isFalse();
        backend.runtime.advanceMillis(1);
        assertThat(backend.isClosed()).isTrue();
    }

    private Sent hold() {
        lock.tryLockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private LockHold handle() {
        CompletableFuture<LockHold> handle = lock.acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        return handle.join().onLost(losses::add);
    }
}
