package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A fixed lease that runs out is left to the server, unless a request may still change what is there (rule 15). */
class FixedLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final long VALID_MILLIS = 988;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");
    private final List<LockLoss> losses = new ArrayList<>();

    @Test
    void aLeaseThatRanOutIsLeftToTheServer() {
        LockHold hold = handle();

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.LEASE_EXPIRED);
        backend.assertNothingOpen();
    }

    @Test
    void aWaiterWaitsForTheServersLease() {
        handle();
        CompletableFuture<Boolean> waiter =
                lock.tryLockAsync(60, -1, SECONDS, 2).toCompletableFuture();
        backend.runtime.advanceMillis(VALID_MILLIS);

        backend.next("acquire").refused(12);
        backend.runtime.advanceMillis(12);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1);
        backend.next("acquire").granted(8);

        assertThat(waiter).isCompletedWithValue(true);
    }

    @Test
    void aTryIsRefusedWhileTheServersLeaseLasts() {
        hold();
        CompletableFuture<Boolean> waiter =
                lock.tryLockAsync(VALID_MILLIS + 5, -1, MILLISECONDS, 2).toCompletableFuture();
        backend.runtime.advanceMillis(VALID_MILLIS);
        backend.next("acquire").refused(12);

        backend.runtime.advanceMillis(5);

        assertThat(waiter).isCompletedWithValue(false);
    }

    @Test
    void aReleaseThatComesTooLateHandsNothingOver() {
        hold();
        CompletableFuture<Boolean> waiter =
                lock.tryLockAsync(60, -1, SECONDS, 2).toCompletableFuture();
        backend.runtime.jumpMillis(VALID_MILLIS);

        assertFailed(lock.unlockAsync(1).toCompletableFuture(), LockLostException.class);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("acquire");
        backend.next("acquire").refused(12);
        assertThat(waiter).isNotDone();
    }

    @Test
    void aSuccessorOfTheSameOwnerIsAHoldOfItsOwn() {
        String first = hold().field();
        backend.runtime.advanceMillis(VALID_MILLIS);
        lock.lockAsync(1);
        Sent again = backend.next("acquire");
        again.refused(12);
        backend.runtime.advanceMillis(13);

        backend.next("acquire").granted(8);

        assertThat(lock.isHeldByThread(1)).isTrue();
        assertThat(again.field()).isNotEqualTo(first);
        backend.assertNothingOpen();
    }

    @Test
    void whatWasAnsweredMayHaveBeenManyRequests() {
        hold();
        reenter().done();
        lock.unlockAsync(1);
        backend.next("release").done();
        backend.reconnected();
        backend.next("renew").done();

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertThat(lock.isHeldByThread(1)).isFalse();
        backend.assertNothingOpen();
    }

    @Test
    void aRequestWithoutEffectNeedsNoAnswer() {
        hold();
        reenter().fault(Fault.Kind.OOM, false);
        backend.reconnected();
        backend.next("renew").fault(Fault.Kind.LOADING, false);

        backend.runtime.advanceMillis(VALID_MILLIS);

        backend.assertNothingOpen();
    }

    @Test
    void aReentryOfUnknownOutcomeIsUndone() {
        String field = hold().field();
        reenter().fault(Fault.Kind.NOPERM, true);

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertUndone(field);
    }

    @Test
    void aReentryThatIsAnsweredTooLateIsUndone() {
        String field = hold().field();
        Sent reentry = reenter();
        backend.runtime.jumpMillis(VALID_MILLIS);

        reentry.done();

        assertUndone(field);
    }

    @Test
    void anExtensionInFlightIsUndone() {
        LockHold hold = handle();
        hold.extendAsync(Duration.ofHours(1));
        Sent extension = backend.next("renew");

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertThat(backend.releasedFields()).containsExactly(extension.field());
    }

    @Test
    void aLowerCountInFlightIsUndone() {
        String field = hold().field();
        reenter().done();
        lock.unlockAsync(1);
        backend.next("release").disconnected();

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertThat(backend.releasedFields()).contains(field);
    }

    @Test
    void aQuestionInFlightIsUndone() {
        String field = hold().field();
        backend.reconnected();
        backend.next("renew");

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertThat(backend.releasedFields()).containsExactly(field);
    }

    @Test
    void aGrantToARepeatedRequestIsUndone() {
        lock.tryLockAsync(5, 1, SECONDS, 1);
        backend.next("acquire").disconnected();
        backend.runtime.advanceMillis(50);
        Sent again = backend.next("acquire");
        again.granted(7);

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertUndone(again.field());
    }

    @Test
    void aRepeatedHandOverIsUndone() {
        hold();
        lock.tryLockAsync(60, 1, SECONDS, 2);
        lock.unlockAsync(1);
        backend.next("transfer").disconnected();
        backend.runtime.advanceMillis(50);
        Sent again = backend.next("transfer");
        again.granted(8);
        assertThat(lock.isHeldByThread(2)).isTrue();

        backend.runtime.advanceMillis(VALID_MILLIS);

        assertUndone(again.args.get(1));
    }

    @Test
    void aRenewalOfAnInnerLevelThatIsUnknownIsUndone() {
        lock.lockAsync(40, SECONDS, 1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        lock.lockAsync(1);
        backend.next("reenter").done();
        backend.runtime.advanceMillis(10_000);
        backend.next("renew").disconnected();
        lock.unlockAsync(1);
        backend.next("release").done();

        backend.runtime.advanceMillis(40_000);

        assertUndone(acquire.field());
    }

    @Test
    void anInnerLevelThatWasRenewedChangesNothing() {
        lock.lockAsync(40, SECONDS, 1);
        backend.next("acquire").granted(7);
        lock.lockAsync(1);
        backend.next("reenter").done();
        backend.runtime.advanceMillis(10_000);
        backend.next("renew").done();
        lock.unlockAsync(1);
        backend.next("release").done();

        backend.runtime.advanceMillis(40_000);

        assertThat(lock.isHeldByThread(1)).isFalse();
        backend.assertNothingOpen();
    }

    @Test
    void eachNodeOfAQuorumKeepsWhatItHasGranted() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        LockHold hold = over(quorum);
        quorum.next(2, "propose").refused(500);

        quorum.runtime.advanceMillis(VALID_MILLIS);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(quorum.count("release")).isZero();
    }

    @Test
    void aNodeThatHasNotAnsweredIsUndone() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        over(quorum);
        String field = quorum.next(2, "propose").field();

        quorum.runtime.advanceMillis(VALID_MILLIS);

        assertThat(quorum.node(2).releasedFields()).contains(field);
        assertThat(quorum.node(0).releasedFields()).isEmpty();
        assertThat(quorum.node(1).releasedFields()).isEmpty();
    }

    @Test
    void aNodeThatProlongedItAloneIsUndone() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        LockHold hold = over(quorum);
        String field = quorum.next(2, "propose").field();
        quorum.next(2, "propose").refused(500);
        hold.extendAsync(Duration.ofSeconds(10));
        quorum.next(0, "renew").done();
        quorum.next(1, "renew").fault(Fault.Kind.OOM, false);
        quorum.runtime.advanceMillis(VALID_MILLIS - 1);
        quorum.node(0).open().forEach(Sent::done);

        quorum.runtime.advanceMillis(1);

        assertThat(quorum.node(0).releasedFields()).contains(field);
    }

    /** A hold by two of three nodes. */
    private static LockHold over(ScriptedQuorum quorum) {
        CompletableFuture<LockHold> call =
                quorum.lock().withLease(LEASE).acquireAsync().toCompletableFuture();
        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        quorum.next(1, "propose").granted(ScriptedQuorum.TOKEN);
        return now(call);
    }

    private void assertUndone(String field) {
        assertThat(lock.isHeldByThread(1) || lock.isHeldByThread(2)).isFalse();
        assertThat(backend.next("release").args.subList(0, 2)).containsExactly(field, "0");
    }

    private Sent hold() {
        lock.tryLockAsync(0, 1, SECONDS, 1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private Sent reenter() {
        lock.tryLockAsync(0, 1, SECONDS, 1);
        return backend.next("reenter");
    }

    private LockHold handle() {
        CompletableFuture<LockHold> call = lock.withLease(LEASE).acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        return now(call).onLost(losses::add);
    }
}
