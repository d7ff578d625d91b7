package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who asks the server when, and what happens to answers that come at the wrong time. */
class AcquireOrderTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");

    @Test
    void aCallWithoutAWaitAsksOnceAndBelievesTheRefusal() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        backend.next("acquire").refused(5_000);

        assertThat(call).isCompletedWithValue(false);
        backend.assertNothingOpen();
        assertThat(backend.topics).isEmpty();
    }

    @Test
    void onlyTheHeadOfTheQueueAsks() {
        waiter(1);
        waiter(2);

        assertThat(backend.open()).hasSize(1);
        backend.next("acquire").refused(5_000);
        backend.assertNothingOpen();
    }

    @Test
    void aConfirmedSubscriptionMakesTheHeadLookAgain() {
        waiter(1);
        backend.next("acquire").refused(5_000);

        backend.topic().confirm();
        backend.next("acquire").refused(5_000);

        backend.topic().confirm();
        backend.next("acquire");
    }

    @Test
    void aMessageDuringAnAttemptIsWorthOneMoreAttemptAfterTheRefusal() {
        waiter(1);
        backend.next("acquire").refused(5_000);
        backend.topic().publish();
        Sent inFlight = backend.next("acquire");

        backend.topic().publish();
        assertThat(backend.open()).containsExactly(inFlight);
        inFlight.refused(5_000);

        backend.next("acquire").refused(5_000);
        backend.assertNothingOpen();
    }

    @Test
    void aConfirmationDuringAnAttemptIsWorthOneMoreAttemptToo() {
        waiter(1);
        backend.next("acquire").refused(5_000);
        backend.topic().publish();
        Sent inFlight = backend.next("acquire");

        backend.topic().confirm();
        inFlight.refused(5_000);

        backend.next("acquire");
    }

    @Test
    void theHeadLooksAgainWhenTheLeaseItWasToldOfIsOver() {
        waiterThatListens(1);
        backend.next("acquire").refused(300);

        backend.runtime.advanceMillis(299);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(3);
        backend.next("acquire");
    }

    @Test
    void theHeadPollsShouldAllMessagesBeLost() {
        waiterThatListens(1);
        backend.next("acquire").refused(60_000);

        backend.runtime.advanceMillis(4_499);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1_002);
        backend.next("acquire");
    }

    @Test
    void aNewHeadAsksAtOnce() {
        CompletableFuture<Boolean> first = waiter(1);
        waiter(2);
        backend.next("acquire").refused(5_000);

        first.cancel(false);

        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    @Test
    void theHeadsDeadlineMakesTheNextOneAsk() {
        CompletableFuture<Boolean> first =
                lock.tryLockAsync(100, -1, MILLISECONDS, 1).toCompletableFuture();
        waiter(2);
        backend.next("acquire").refused(5_000);

        backend.runtime.advanceMillis(101);

        assertThat(first).isCompletedWithValue(false);
        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    @Test
    void anAttemptHasAFullTimeForItsAnswerWhateverIsLeftOfTheWait() {
        CompletableFuture<Boolean> call =
                lock.tryLockAsync(100, -1, MILLISECONDS, 1).toCompletableFuture();

        backend.runtime.advanceMillis(900);
        assertThat(call).isNotDone();
        backend.next("acquire").granted(7);

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void anUnansweredAttemptEndsUnknownAndIsUndoneOnce() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        Sent attempt = backend.next("acquire");

        attempt.overdue();

        assertFailed(call, LockOutcomeUnknownException.class);
        assertThat(releasesOf(attempt.field())).isEqualTo(1);

        attempt.granted(7);
        backend.next("release").done();

        assertThat(releasesOf(attempt.field())).isEqualTo(1);
        backend.assertNothingOpen();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void anAttemptIsDueAtTheEndOfTheWaitButNotBeforeACommandTakes() {
        lock.tryLockAsync(100, -1, MILLISECONDS, 1);
        assertThat(backend.sent.get(0).dueMillis()).isEqualTo(1_000);

        lock.tryLockAsync(0, -1, MILLISECONDS, 2);
        assertThat(backend.sent.get(1).dueMillis()).isEqualTo(1_000);
    }

    @Test
    void aGrantAfterTheCallerGaveUpIsGivenBack() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        Sent attempt = backend.next("acquire");
        call.cancel(false);

        attempt.granted(7);

        assertThat(call).isCancelled();
        assertThat(backend.next("release").field()).isEqualTo(attempt.field());
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void aGrantThatComesWhenItsLeaseIsOverIsGivenBack() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(5, 1, SECONDS, 1).toCompletableFuture();
        Sent attempt = backend.next("acquire");
        backend.runtime.jumpMillis(995);

        attempt.granted(7);

        assertFailed(call, LockUnavailableException.class);
        assertThat(backend.next("release").field()).isEqualTo(attempt.field());
    }

    @Test
    void aFaultKnownNotToBeAppliedIsTriedAgainWithANewField() {
        CompletableFuture<Boolean> call = waiter(1);
        Sent first = backend.next("acquire");
        first.fault(Fault.Kind.LOADING, false);
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(50);
        Sent second = backend.next("acquire");
        assertThat(second.field()).isNotEqualTo(first.field());
        second.granted(7);

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void anAttemptThatMayHaveBeenAppliedIsSentAgainWithItsOwnField() {
        CompletableFuture<Boolean> call = waiter(1);
        Sent first = backend.next("acquire");
        first.disconnected();

        backend.runtime.advanceMillis(50);
        assertThat(backend.next("acquire").field()).isEqualTo(first.field());
        backend.next("acquire").granted(7);

        assertThat(call).isCompletedWithValue(true);
        assertThat(releasesOf(first.field())).isZero();
    }

    @Test
    void afterARefusalTheNextAttemptHasANewField() {
        waiter(1);
        Sent first = backend.next("acquire");
        first.refused(5_000);
        backend.topic().publish();

        assertThat(backend.next("acquire").field()).isNotEqualTo(first.field());
    }

    @Test
    void aFaultThatTimeDoesNotHealEndsTheCallAtOnce() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        backend.next("acquire").fault(Fault.Kind.WRONGTYPE, false);

        assertFailed(call, LockServerException.class);
        backend.assertNothingOpen();
    }

    @Test
    void aWaitWithoutALimitPutsUpWithFaultsForTheLongestOutageOnly() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        for (int i = 0; i < 200 && !call.isDone(); i++) {
            backend.open().forEach(attempt -> attempt.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(500);
        }

        assertFailed(call, LockUnavailableException.class);
        assertThat(backend.sent).hasSizeLessThan(61);
    }

    @Test
    void anOwnersOtherWaitsBecomeReentries() {
        CompletableFuture<Boolean> first = waiter(1);
        CompletableFuture<Boolean> second = waiter(1);
        backend.next("acquire").granted(7);

        assertThat(first).isCompletedWithValue(true);
        Sent reentry = backend.next("reenter");
        assertThat(reentry.args).containsExactly(backend.sent.get(0).field(), "2", "30000");
        reentry.done();
        assertThat(second).isCompletedWithValue(true);
    }

    @Test
    void messagesDuringEveryAttemptDoNotProlongTheWait() {
        CompletableFuture<Boolean> call =
                lock.tryLockAsync(100, -1, MILLISECONDS, 1).toCompletableFuture();
        backend.next("acquire").refused(60_000);
        backend.topic().publish();
        for (int i = 0; i < 2; i++) {
            Sent inFlight = backend.next("acquire");
            backend.runtime.advanceMillis(60);
            backend.topic().publish();
            inFlight.refused(60_000);
        }

        assertThat(call).isCompletedWithValue(false);
        backend.assertNothingOpen();
    }

    @Test
    void aGrantThatComesBehindTheUndoOfItsRequestIsUndoneAgain() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        Sent attempt = backend.next("acquire");
        call.cancel(false);
        backend.open().get(1).gone();

        attempt.granted(7);

        assertThat(backend.next("release").field()).isEqualTo(attempt.field());
        backend.next("release").done();
        assertThat(releasesOf(attempt.field())).isEqualTo(2);
    }

    @Test
    void theNextLooksOnWhenTheHeadsOwnerGotTheLockByAnotherCall() {
        waiter(1);
        backend.next("acquire").refused(60_000);
        waiter(2);
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        backend.next("reenter").done();
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(5_501);

        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    private CompletableFuture<Boolean> waiter(long threadId) {
        return lock.tryLockAsync(60, -1, SECONDS, threadId).toCompletableFuture();
    }

    private void waiterThatListens(long threadId) {
        waiter(threadId);
        backend.next("acquire").refused(60_000);
        backend.topic().confirm();
    }

    private long releasesOf(String field) {
        return backend.sent.stream()
                .filter(call -> call.script().equals("release") && call.field().equals(field))
                .count();
    }
}
