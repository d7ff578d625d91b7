package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Release, re-entry, extension and force at the nodes of a quorum: a majority decides, and nothing is left behind. */
class QuorumReleaseTest {
    private static final long COMMAND_MILLIS = 1_000;
    private static final long STEP_MILLIS = 50;

    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();

    @Test
    void aReleaseIsDoneAtTheMajorityAndElsewhereUntilConfirmed() {
        hold();
        CompletableFuture<Void> release = unlock();
        quorum.next(0, "release").done();
        assertThat(release).isNotDone();
        quorum.next(1, "release").done();
        assertThat(release).isCompleted();

        Sent failing = quorum.next(2, "release");
        failing.disconnected();
        for (int i = 0; i < 3; i++) {
            quorum.next(2, "release").fault(Fault.Kind.UNREACHABLE, false);
            quorum.runtime.advanceMillis(200);
        }
        assertThat(quorum.next(2, "release").args).isEqualTo(failing.args);
        quorum.next(2, "release").done();

        quorum.runtime.advanceMillis(40_000);
        quorum.assertNothingOpen();
    }

    @Test
    void aReleaseAtADeadMajorityEndsWithinACommandTimeout() {
        hold();
        CompletableFuture<Void> release = unlock();

        passWithADeadMajority(COMMAND_MILLIS + STEP_MILLIS);
        assertThat(release).isCompletedExceptionally();

        passWithADeadMajority(2_000);
        quorum.runtime.advanceMillis(2_000);
        assertThat(quorum.next(2, "release").args.get(1))
                .as("the undoer goes on")
                .isEqualTo("0");
    }

    private void passWithADeadMajority(long millis) {
        for (long passed = 0; passed < millis; passed += STEP_MILLIS) {
            quorum.node(0).open().forEach(Sent::done);
            quorum.node(1).open().forEach(Sent::disconnected);
            quorum.node(2).open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            quorum.runtime.advanceMillis(STEP_MILLIS);
        }
    }

    @Test
    void aReleaseIsNotSentToANodeThatRefused() {
        lock.tryLockAsync(1);
        quorum.next(2, "propose").refused(5_000);
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        CompletableFuture<Void> release = unlock();

        quorum.next(0, "release").done();

        assertThat(release).as("a majority does not have it any more").isCompleted();
        quorum.next(1, "release").done();
        assertThat(quorum.scripts(2)).containsExactly("propose");
    }

    @Test
    void aReleaseThatFindsNothingAtAMajorityTellsOfTheLoss() {
        hold();
        CompletableFuture<Void> release = unlock();
        quorum.next(0, "release").gone();
        assertThat(release).isNotDone();

        quorum.next(1, "release").gone();

        assertFailed(release, LockLostException.class);
        quorum.next(2, "release").done();
        quorum.assertNothingOpen();
    }

    @Test
    void aReleaseThatOneNodeKnowsNothingOfIsDone() {
        hold();
        CompletableFuture<Void> release = unlock();
        quorum.next(0, "release").gone();
        quorum.next(1, "release").done();

        assertThat(release).isCompleted();
    }

    @Test
    void aReleaseWithoutAnyAnswerEndsUnknownAfterACommandTimeout() {
        hold();
        CompletableFuture<Void> release = unlock();
        quorum.each("release", sent -> {
            assertThat(sent.dueMillis()).isEqualTo(1_000);
            sent.overdue();
        });

        assertFailed(release, LockOutcomeUnknownException.class);
        assertThatThrownBy(() -> now(release)).hasMessageContaining("b: NO_ANSWER: no answer in time");
    }

    @Test
    void aReleaseIsSentToANodeAgainOnlyWhenTheFirstHasFailed() {
        hold();
        unlock();
        quorum.each("release", Sent::overdue);
        assertThat(quorum.count("release")).isEqualTo(3);

        quorum.next(0, "release").done();
        quorum.next(1, "release").disconnected();

        assertThat(quorum.scripts(0)).filteredOn("release"::equals).hasSize(1);
        assertThat(quorum.scripts(1)).filteredOn("release"::equals).hasSize(2);
        assertThat(quorum.scripts(2)).filteredOn("release"::equals).hasSize(1);
    }

    @Test
    void aRepeatedReleaseCountsWhatTheFirstHasDone() {
        hold();
        CompletableFuture<Void> release = unlock();
        quorum.next(0, "release").done();
        quorum.next(1, "release").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(2, "release").fault(Fault.Kind.UNREACHABLE, false);
        quorum.runtime.advanceMillis(50);
        assertThat(release).isNotDone();

        quorum.next(0, "release").gone();
        quorum.next(1, "release").gone();

        assertThat(release).as("it was valid when it was released").isCompleted();
    }

    @Test
    void aReentryIsDoneAtAMajority() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(2, "reenter").disconnected();
        quorum.next(0, "reenter").done();
        assertThat(again).isNotDone();

        quorum.next(1, "reenter").done();

        assertThat(again).isCompletedWithValue(true);
        assertThat(lock.getHoldCountAsync(1).toCompletableFuture()).isCompletedWithValue(2);
    }

    @Test
    void aReentryThatAMajorityKnowsNothingOfReportsTheLoss() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(0, "reenter").gone();
        quorum.next(1, "reenter").gone();

        assertFailed(again, LockLostException.class);
        assertThat(lock.isHeldByThread(1)).isFalse();
        quorum.next(2, "reenter").done();
        quorum.each("release", Sent::gone);
    }

    @Test
    void aReentryThatOneNodeKnowsNothingOfLeavesTheOthersLease() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(0, "reenter").gone();
        quorum.next(1, "reenter").done();
        quorum.next(2, "reenter").done();
        assertThat(again).isCompletedWithValue(true);

        CompletableFuture<Void> lowered = unlock();
        assertThat(quorum.node(0).open()).as("it has forgotten the hold").isEmpty();
        assertThat(quorum.next(1, "release").args).contains("1");
        quorum.next(1, "release").done();
        quorum.next(2, "release").done();
        assertThat(lowered).isCompleted();

        CompletableFuture<Void> released = unlock();
        quorum.each("release", sent -> assertThat(sent.args).contains("0"));
        quorum.doneAll();
        assertThat(released).isCompleted();
    }

    @Test
    void aNodeThatGrantsAfterAReentryHearsOfItAndIsLoweredToo() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        lock.tryLockAsync(1);
        quorum.next(0, "reenter").done();
        quorum.next(1, "reenter").done();
        late.granted(TOKEN);
        assertThat(quorum.next(2, "reenter").args).as("what it has missed").contains("2", "30000");
        quorum.next(2, "reenter").done();

        unlock();
        quorum.each("release", Sent::done);
        unlock();
        quorum.each("release", sent -> assertThat(sent.args.get(1)).isEqualTo("0"));
    }

    @Test
    void anExtensionCountsWhenAMajorityHasIt() {
        LockHold hold = handle(Duration.ofSeconds(5));
        CompletableFuture<Void> call = hold.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        quorum.next(0, "renew").done();
        assertThat(hold.validFor()).isLessThan(Duration.ofSeconds(5));

        quorum.next(1, "renew").done();

        assertThat(call).isCompleted();
        assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(59));
    }

    @Test
    void anExtensionThatAMajorityKnowsNothingOfIsALoss() {
        LockHold hold = handle(Duration.ofSeconds(5));
        CompletableFuture<Void> call = hold.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        quorum.next(1, "renew").gone();
        quorum.next(2, "renew").gone();

        assertFailed(call, LockLostException.class);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void anExtensionWithoutAMajorityFailsAndTheHoldStaysAsItWas() {
        LockHold hold = handle(Duration.ofSeconds(5));
        CompletableFuture<Void> call = hold.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        for (int i = 0; i < 40 && !call.isDone(); i++) {
            List.copyOf(quorum.open()).forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            quorum.runtime.advanceMillis(50);
        }

        assertFailed(call, LockUnavailableException.class);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.validFor()).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void forceFreesWhateverAnyNodeHasAndEndsWhenAllHaveAnswered() {
        CompletableFuture<Boolean> forced = lock.forceUnlockAsync().toCompletableFuture();
        quorum.next(0, "force").reply(0L);
        quorum.next(1, "force").reply(1L);
        assertThat(forced).isNotDone();
        quorum.next(2, "force").reply(0L);

        assertThat(forced).isCompletedWithValue(true);
    }

    @Test
    void forceEndsTheHoldsOfThisClient() {
        List<LockLoss> losses = new ArrayList<>();
        handle(Duration.ofSeconds(5)).onLost(losses::add);
        CompletableFuture<Boolean> forced = lock.forceUnlockAsync().toCompletableFuture();
        quorum.next(0, "force").done();
        quorum.next(1, "force").done();
        quorum.next(2, "force").overdue();

        assertThat(forced).isCompletedWithValue(true);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.FORCED);
    }

    @Test
    void forceOfAFreeLockSaysSo() {
        CompletableFuture<Boolean> forced = lock.forceUnlockAsync().toCompletableFuture();
        quorum.each("force", sent -> sent.reply(0L));

        assertThat(forced).isCompletedWithValue(false);
    }

    // --- giving up ---

    @Test
    void givingUpBeforeAnyAnswerIsUndoneEverywhere() {
        CompletableFuture<Boolean> call = waiter();
        call.cancel(false);
        quorum.nodes.forEach(
                node -> assertThat(node.open()).extracting(Sent::script).containsExactly("propose", "release"));

        quorum.each("propose", asked -> asked.granted(TOKEN));

        assertNothingIsLeft(call);
    }

    @Test
    void givingUpAfterOneAnswerIsUndoneEverywhere() {
        CompletableFuture<Boolean> call = waiter();
        quorum.next(1, "propose").granted(TOKEN);
        call.cancel(false);
        quorum.next(0, "propose").refused(5_000);
        quorum.next(2, "propose").granted(TOKEN);

        assertNothingIsLeft(call);
    }

    @Test
    void givingUpDuringTheAdoptionIsUndoneBehindIt() {
        CompletableFuture<Boolean> call = waiter();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        call.cancel(false);
        assertThat(quorum.node(0).open()).extracting(Sent::script).containsExactly("adopt", "release");

        quorum.next(0, "adopt").reply(1L);
        quorum.next(2, "propose").granted(20);

        assertNothingIsLeft(call);
    }

    @Test
    void givingUpDuringAPauseLeavesNothing() {
        CompletableFuture<Boolean> call = waiter();
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").refused(5_000, "x:1:1");
        quorum.next(2, "propose").refused(5_000, "y:1:1");
        call.cancel(false);

        assertNothingIsLeft(call);
        quorum.nodes.forEach(node -> assertThat(node.topics).allMatch(topic -> topic.closed));
    }

    @Test
    void givingUpAfterTheGrantIsARelease() {
        CompletableFuture<Boolean> call = waiter();
        List<Runnable> callbacks = new ArrayList<>();
        quorum.runtime.callbacks(callbacks::add);
        quorum.grantAll();
        call.cancel(false);
        callbacks.forEach(Runnable::run);

        quorum.each("release", Sent::done);
        assertNothingIsLeft(call);
    }

    /** Every node was told to forget what it has granted. */
    private void assertNothingIsLeft(CompletableFuture<?> call) {
        quorum.doneAll();
        quorum.runtime.advanceMillis(40_000);
        quorum.assertNothingOpen();
        assertThat(call).isCancelled();
        assertThat(lock.isHeldByThread(1)).isFalse();
        for (ScriptedBackend node : quorum.nodes) {
            assertThat(node.releasedFields()).containsAll(node.grantedFields());
        }
    }

    private void hold() {
        lock.tryLockAsync(1);
        quorum.grantAll();
    }

    private LockHold handle(Duration lease) {
        CompletableFuture<LockHold> call = lock.withLease(lease).acquireAsync().toCompletableFuture();
        quorum.grantAll();
        return now(call);
    }

    private CompletableFuture<Boolean> waiter() {
        return lock.tryLockAsync(60, -1, SECONDS, 1).toCompletableFuture();
    }

    private CompletableFuture<Void> unlock() {
        return lock.unlockAsync(1).toCompletableFuture();
    }
}
