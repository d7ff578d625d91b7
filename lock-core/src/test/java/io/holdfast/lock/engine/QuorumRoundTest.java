package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One round over three nodes: who decides it, and what becomes of the answers that come after the decision. */
class QuorumRoundTest {
    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();

    @Test
    void aVoteThatWasSplitWhileANodeIsDownIsRepeatedSoon() {
        lock.lockAsync(1);
        for (int round = 0; round < 12; round++) {
            quorum.next(0, "propose").granted(TOKEN);
            quorum.next(1, "propose").refused(5_000);
            quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
            quorum.next(0, "release").done();

            quorum.runtime.advanceMillis(260);
        }
        assertThat(quorum.scripts(1)).hasSizeGreaterThan(12).containsOnly("propose");
    }

    @Test
    void allNodesAreAskedAtOnceUnderOneFieldAndHaveTheSameTime() {
        lock.tryLockAsync(1);

        String field = quorum.next(0, "propose").field();
        quorum.each("propose", asked -> {
            assertThat(asked.field()).isEqualTo(field).startsWith("c:1:");
            assertThat(asked.dueMillis()).isEqualTo(50);
        });
    }

    @Test
    void aMajorityDecidesBeforeTheThirdAnswers() {
        CompletableFuture<Boolean> call = tryLock();
        quorum.next(2, "propose").granted(TOKEN);
        assertThat(call).isNotDone();

        quorum.next(0, "propose").granted(TOKEN);

        assertThat(call).isCompletedWithValue(true);
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    @Test
    void aMajorityOfRefusalsDecidesBeforeTheThirdAnswers() {
        CompletableFuture<Boolean> call = tryLock();
        quorum.next(0, "propose").refused(5_000);
        assertThat(call).isNotDone();

        quorum.next(1, "propose").refused(5_000);

        assertThat(call).isCompletedWithValue(false);
    }

    @Test
    void aLateGrantJoinsTheHoldAndIsRenewedAndReleased() {
        lock.tryLockAsync(1);
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        quorum.runtime.advanceMillis(20);
        quorum.next(2, "propose").granted(TOKEN);

        quorum.runtime.advanceMillis(10_020);
        quorum.each("renew", Sent::done);
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        quorum.each("release", Sent::done);

        assertThat(release).isCompleted();
        quorum.assertNothingOpen();
    }

    @Test
    void aLateGrantAfterTheHoldWasReleasedIsReleasedBehindTheRequest() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        assertThat(quorum.scripts(2)).containsExactly("propose", "release");

        late.granted(TOKEN);
        quorum.doneAll();

        assertThat(quorum.scripts(2)).as("one release is enough").containsExactly("propose", "release");
        quorum.runtime.advanceMillis(60_000);
        quorum.assertNothingOpen();
    }

    @Test
    void aGrantThatComesAfterTheAnswerToTheReleaseIsReleasedOnceMore() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        quorum.node(2).open().get(1).gone();

        late.granted(TOKEN);

        assertThat(quorum.scripts(2))
                .as("the request may have been written again behind the release")
                .containsExactly("propose", "release", "release");
    }

    @Test
    void aLostRoundIsUndoneWhereItWasGrantedOrUnheardButNotRefused() {
        ScriptedQuorum five = new ScriptedQuorum(5);
        CompletableFuture<Boolean> call = five.lock().tryLockAsync(1).toCompletableFuture();
        five.next(0, "propose").granted(TOKEN);
        five.next(1, "propose").refused(5_000);
        five.next(2, "propose").refused(5_000);
        five.next(3, "propose").refused(5_000);

        assertThat(call).isCompletedWithValue(false);
        assertThat(five.scripts(0)).containsExactly("propose", "release");
        assertThat(five.scripts(1)).containsExactly("propose");
        assertThat(five.scripts(4)).as("behind the request").containsExactly("propose", "release");
        assertThat(five.node(4).sent.get(1).args)
                .startsWith(five.node(4).sent.get(0).field(), "0");
    }

    @Test
    void aGrantAfterTheRoundWasLostIsUndoneOnceMore() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").refused(5_000);
        quorum.next(1, "propose").refused(5_000);
        quorum.node(2).open().get(1).gone();

        assertThat(quorum.node(2).releasedFields()).containsExactly(late.field());

        late.granted(TOKEN);

        assertThat(quorum.node(2).releasedFields())
                .as("it may have been written again behind its undo")
                .containsExactly(late.field(), late.field());
        quorum.doneAll();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void anOverdueNodeThatGrantsAfterTheRoundWasLostIsLeftWithNothing() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").fault(Fault.Kind.UNREACHABLE, false);
        late.overdue();
        assertThat(quorum.scripts(2)).startsWith("propose", "release");

        late.granted(TOKEN);

        assertThat(lastScriptFor(2, late.field())).isEqualTo("release");
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void anOverdueNodeThatGrantsAfterTheRoundWasWonJoins() {
        lock.tryLockAsync(1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        late.overdue();
        quorum.next(1, "propose").granted(TOKEN);
        late.granted(TOKEN);

        quorum.runtime.advanceMillis(10_020);

        quorum.each("renew", Sent::done);
    }

    @Test
    void aNodeThatOwesAnAnswerIsNotAskedAgainUntilItHasGivenIt() {
        lock.tryLockAsync(1);
        Sent owed = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        owed.overdue();
        lock.unlockAsync(1);
        quorum.next(0, "release").done();
        quorum.next(1, "release").done();

        CompletableFuture<Boolean> second = tryLock();
        quorum.next(0, "propose").granted(TOKEN + 1);
        quorum.next(1, "propose").granted(TOKEN + 1);
        assertThat(second).isCompletedWithValue(true);
        assertThat(quorum.scripts(2)).containsExactly("propose", "release");

        owed.granted(TOKEN);
        quorum.doneAll();
        lock.unlockAsync(1);
        quorum.doneAll();
        lock.tryLockAsync(1);
        quorum.each("propose", asked -> asked.granted(TOKEN + 2));
    }

    @Test
    void aNodeWhoseConnectionBrokeAfterTheRoundWasWonIsUndone() {
        lock.tryLockAsync(1);
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").disconnected();

        assertThat(quorum.scripts(2)).containsExactly("propose", "release");
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    @Test
    void aNodeWhoseConnectionBrokeBeforeTheRoundWasWonIsUndone() {
        lock.tryLockAsync(1);
        quorum.next(2, "propose").disconnected();
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);

        assertThat(quorum.scripts(2)).containsExactly("propose", "release");
        assertThat(quorum.scripts(0)).containsExactly("propose");
    }

    @Test
    void aRoundWithoutAMajorityNamesEachNodeAndWhatItSaid() {
        CompletableFuture<Boolean> call = tryLock();
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(2, "propose").fault(Fault.Kind.LOADING, false);

        assertFailed(call, LockUnavailableException.class);
        assertThatThrownBy(() -> now(call))
                .hasMessageContaining("a: granted")
                .hasMessageContaining("b: UNREACHABLE: as the test wants it")
                .hasMessageContaining("c: LOADING");
    }

    @Test
    void silentNodesMakeTheOutcomeUnknownAndATryDoesNotAskAgain() {
        CompletableFuture<Boolean> call = tryLock();
        quorum.each("propose", Sent::overdue);

        assertFailed(call, LockOutcomeUnknownException.class);
        assertThatThrownBy(() -> now(call)).hasMessageContaining("a: no answer within 50 ms");
        quorum.runtime.advanceMillis(2_000);
        assertThat(quorum.count("propose")).isEqualTo(3);
    }

    @Test
    void whatIsBeingUndoneDoesNotProlongTheWait() {
        CompletableFuture<Boolean> call =
                lock.tryLockAsync(100, -1, MILLISECONDS, 1).toCompletableFuture();
        for (int i = 0; i < 6; i++) {
            quorum.open().stream()
                    .filter(asked -> asked.script().equals("propose"))
                    .forEach(Sent::disconnected);
            quorum.runtime.advanceMillis(21);
        }

        assertFailed(call, LockOutcomeUnknownException.class);
    }

    @Test
    void aFaultOfAMajorityThatTimeDoesNotHealEndsTheCallAtOnce() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        quorum.each("propose", asked -> asked.fault(Fault.Kind.WRONGTYPE, false));

        assertFailed(call, LockServerException.class);
        quorum.assertNothingOpen();
    }

    @Test
    void aNodeWhoseUserMayNotUseTheTurnsIsAskedWithoutThem() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        quorum.each("propose", asked -> asked.fault(Fault.Kind.NOPERM, false));

        quorum.each("propose", asked -> {
            assertThat(asked.keys).noneMatch(key -> key.endsWith(":turns"));
            asked.granted(TOKEN);
        });
        assertThat(call).isCompleted();
        lock.unlockAsync(1);
        quorum.each("release", release -> assertThat(release.keys).noneMatch(key -> key.endsWith(":turns")));
    }

    @Test
    void aFaultOfOneNodeThatTimeDoesNotHealIsNoReasonToFail() {
        CompletableFuture<Boolean> call = tryLock();
        quorum.next(0, "propose").fault(Fault.Kind.NOPERM, false);
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aRoundIsNeverRepeatedUnderItsField() {
        lock.tryLockAsync(60, -1, SECONDS, 1);
        String first = quorum.next(0, "propose").field();
        quorum.each("propose", Sent::disconnected);
        quorum.doneAll();

        quorum.runtime.advanceMillis(50);

        quorum.each("propose", asked -> assertThat(asked.field()).isNotEqualTo(first));
    }

    private CompletableFuture<Boolean> tryLock() {
        return lock.tryLockAsync(1).toCompletableFuture();
    }

    private String lastScriptFor(int index, String field) {
        return quorum.node(index).sent.stream()
                .filter(call -> call.field().equals(field))
                .reduce((earlier, later) -> later)
                .map(Sent::script)
                .orElse("none");
    }
}
