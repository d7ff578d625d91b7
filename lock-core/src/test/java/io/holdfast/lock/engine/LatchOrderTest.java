package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rules 58 to 60 in orders of events that a real server hardly ever brings. */
class LatchOrderTest {

    private static final long LINGER_MILLIS = 1_000;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RCountDownLatch latch = client.getCountDownLatch("import");

    // --- counting ---

    @Test
    void theFirstCountCostsTwoRequestsAndLaterOnesOne() {
        CompletableFuture<Void> first = count();
        assertThat(backend.next("latch-count").args.get(1)).isEqualTo("0");
        backend.next("latch-count").reply(7L, 3L, 0L);
        assertThat(backend.next("latch-count").args.get(1)).isEqualTo("7");
        backend.next("latch-count").reply(7L, 2L, 1L);
        now(first);

        CompletableFuture<Void> second = count();
        assertThat(backend.next("latch-count").args.get(1)).isEqualTo("7");
        backend.next("latch-count").reply(7L, 1L, 1L);
        now(second);
        backend.assertNothingOpen();
    }

    @Test
    void aRepeatedCountHasTheSameIdAndAnotherCountAnother() {
        know(7);
        CompletableFuture<Void> call = count();
        Sent lost = backend.next("latch-count");
        lost.disconnected();
        Sent again = afterAPause("latch-count");
        assertThat(again.args).isEqualTo(lost.args);
        again.reply(7L, 1L, 1L);
        now(call);

        count();
        assertThat(backend.next("latch-count").field()).isNotEqualTo(lost.field());
    }

    @Test
    void aRepeatedCountIsDoneWhenItsGenerationIsOver() {
        CompletableFuture<Void> call = count();
        backend.next("latch-count").reply(7L, 3L, 0L);
        backend.next("latch-count").disconnected();
        afterAPause("latch-count").reply(8L, 3L, 0L);
        now(call);
        backend.assertNothingOpen();
    }

    @Test
    void aRepeatedCountIsDoneWhenNoLatchIsClosed() {
        know(7);
        CompletableFuture<Void> call = count();
        backend.next("latch-count").disconnected();
        afterAPause("latch-count").reply(8L, 0L, 0L);
        now(call);
    }

    /** The latch that is closed may have been set before the call, and wait for it. */
    @Test
    void aRepeatedCountThatMayNeverHaveCountedIsUnknown() {
        know(7);
        CompletableFuture<Void> call = count();
        backend.next("latch-count").disconnected();
        afterAPause("latch-count").reply(8L, 3L, 0L);
        assertFailed(call, LockOutcomeUnknownException.class);
        backend.assertNothingOpen();
    }

    @Test
    void aCountThatWasNeverAppliedIsSentForThePresentGeneration() {
        know(7);
        CompletableFuture<Void> call = count();
        backend.next("latch-count").fault(Fault.Kind.LOADING, false);
        afterAPause("latch-count").reply(8L, 3L, 0L);
        assertThat(backend.next("latch-count").args.get(1)).isEqualTo("8");
        assertThat(call).isNotDone();
        backend.next("latch-count").reply(8L, 2L, 1L);
        now(call);
    }

    @Test
    void aCountThatKnewNoGenerationCantHaveBeenApplied() {
        CompletableFuture<Void> call = count();
        backend.next("latch-count").disconnected();
        afterAPause("latch-count").reply(7L, 3L, 0L);
        assertThat(backend.next("latch-count").args.get(1)).isEqualTo("7");
        assertThat(call).isNotDone();
    }

    @Test
    void aCountWithoutAnAnswerIsUnknown() {
        know(7);
        CompletableFuture<Void> call = count();
        backend.next("latch-count").overdue();
        assertFailed(call, LockOutcomeUnknownException.class);
        assertThatThrownBy(call::join).hasMessageContaining("latch 'import'").hasMessageContaining("outcome unknown");
    }

    @Test
    void aLatchThatWasNeverSetIsNotCounted() {
        CompletableFuture<Void> call = count();
        backend.next("latch-count").reply(0L, 0L, 0L);
        now(call);
    }

    @Test
    void whatIsInTheWayIsNamed() {
        CompletableFuture<Long> call = latch.getCountAsync().toCompletableFuture();
        backend.next("latch-look").fault(Fault.Kind.WRONGTYPE, false);
        assertFailed(call, LockServerException.class);
    }

    // --- setting and deleting ---

    @Test
    void aLatchThatIsOpenIsSetForItsGeneration() {
        CompletableFuture<Boolean> call = latch.trySetCountAsync(3).toCompletableFuture();
        assertThat(backend.next("latch-set").args.get(2)).isEqualTo("0");
        backend.next("latch-set").reply(7L, 0L, 0L);
        assertThat(backend.next("latch-set").args.get(2)).isEqualTo("7");
        backend.next("latch-set").reply(8L, 3L, 1L);
        assertThat(now(call)).isTrue();
    }

    @Test
    void aLatchThatIsClosedIsNotSet() {
        CompletableFuture<Boolean> call = latch.trySetCountAsync(3).toCompletableFuture();
        backend.next("latch-set").reply(7L, 1L, 0L);
        assertThat(now(call)).isFalse();
    }

    @Test
    void aRepeatedSetThatFindsAnotherIsUnknownAndNeverFalse() {
        CompletableFuture<Boolean> call = latch.trySetCountAsync(3).toCompletableFuture();
        backend.next("latch-set").disconnected();
        afterAPause("latch-set").reply(7L, 1L, 0L);
        assertFailed(call, LockOutcomeUnknownException.class);
    }

    @Test
    void aRepeatedDeletionThatFindsNothingHasDeleted() {
        know(7);
        CompletableFuture<Boolean> call = latch.deleteAsync().toCompletableFuture();
        backend.next("latch-delete").disconnected();
        afterAPause("latch-delete").reply(0L, 0L, 0L);
        assertThat(now(call)).isTrue();
    }

    @Test
    void countsOutsideTheRangeAreRefusedAndNothingIsSent() {
        for (long count : new long[] {0, -1, 1L << 53, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> latch.trySetCountAsync(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("latch 'import': count: " + count + " (expected: 1 to 9007199254740991)");
        }
        backend.assertNothingOpen();
    }

    // --- waiting ---

    @Test
    void itLooksAtTheConfirmationAndAtMessages() {
        CompletableFuture<Void> call = waiting(7, 2, 5);
        backend.topic().confirm();
        backend.next("latch-look").reply(7L, 2L, 5L);
        backend.topic().publish();
        backend.next("latch-look").reply(7L, 0L, 5L);
        now(call);
        backend.assertNothingOpen();
    }

    @Test
    void aMessageDuringALookMakesItLookAgain() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        backend.topic().confirm();
        Sent look = backend.next("latch-look");
        backend.topic().publish();
        look.reply(7L, 1L, 5L);
        backend.next("latch-look").reply(7L, 0L, 5L);
        now(call);
    }

    @Test
    void aLaterGenerationOfTheSameLineSaysThatItOpened() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        look().reply(8L, 3L, 5L);
        now(call);
    }

    @Test
    void aLaterGenerationOfAnotherLineDoesNot() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        look().reply(8L, 3L, 8L);
        assertFailed(call, LockLostException.class);
    }

    @Test
    void anEarlierGenerationIsNotTheOneThatWasAwaited() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        look().reply(6L, 3L, 5L);
        assertFailed(call, LockLostException.class);
    }

    @Test
    void aLatchThatIsGoneIsNotOpen() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        look().reply(0L, 0L, 0L);
        assertFailed(call, LockLostException.class);
        assertThatThrownBy(call::join)
                .hasMessageContaining("latch 'import', scripted: KEY_GONE")
                .hasMessageContaining("before it opened");
    }

    @Test
    void aLatchThatWasNeverSetIsOpen() {
        CompletableFuture<Void> call = latch.awaitAsync().toCompletableFuture();
        backend.next("latch-look").reply(0L, 0L, 0L);
        now(call);
        assertThat(backend.topics).isEmpty();
    }

    @Test
    void aLookFromBeforeACallCameSaysNothingToIt() {
        CompletableFuture<Void> first = latch.awaitAsync().toCompletableFuture();
        Sent look = backend.next("latch-look");
        CompletableFuture<Void> second = latch.awaitAsync().toCompletableFuture();
        look.reply(7L, 0L, 5L);
        now(first);
        assertThat(second).isNotDone();
    }

    @Test
    void allCallsOfAClientShareALookAndASubscription() {
        CompletableFuture<Void> first = waiting(7, 1, 5);
        CompletableFuture<Void> second = latch.awaitAsync().toCompletableFuture();
        backend.next("latch-look").reply(7L, 1L, 5L);
        look().reply(7L, 0L, 5L);
        now(first);
        now(second);
        assertThat(backend.topics).hasSize(1);
    }

    @Test
    void itPollsWhereNoMessagesArrive() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        backend.runtime.advanceMillis(250);
        backend.next("latch-look").reply(7L, 0L, 5L);
        now(call);
    }

    @Test
    void aWaitEndsByWhatWasSeenLately() {
        CompletableFuture<Boolean> call = latch.awaitAsync(1, SECONDS).toCompletableFuture();
        backend.next("latch-look").reply(7L, 1L, 5L);
        backend.topic().confirm();
        backend.next("latch-look").reply(7L, 1L, 5L);
        backend.runtime.advanceMillis(1_000);
        assertThat(now(call)).isFalse();
        backend.assertNothingOpen();
    }

    @Test
    void aWaitThatHasSeenNothingStaysForAnAnswer() {
        CompletableFuture<Boolean> call = latch.awaitAsync(0, SECONDS).toCompletableFuture();
        backend.runtime.advanceMillis(100);
        assertThat(call).isNotDone();
        backend.next("latch-look").reply(7L, 1L, 5L);
        assertThat(now(call)).isFalse();
    }

    @Test
    void aWaitWithoutAnyAnswerIsNeverFalse() {
        CompletableFuture<Boolean> call = latch.awaitAsync(1, SECONDS).toCompletableFuture();
        backend.runtime.advanceMillis(1_000);
        assertThat(call).isNotDone();
        backend.runtime.advanceMillis(ClientOptions.defaults().commandTimeout().toMillis());
        assertFailed(call, LockUnavailableException.class);
    }

    @Test
    void aWaitWithoutALimitEndsWithTheLongestOutage() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        backend.topic().confirm();
        backend.next("latch-look").disconnected();
        long outage = ClientOptions.defaults().maxOutage().toMillis();
        for (long passed = 0; passed < outage - 10; passed += 10) {
            backend.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(10);
        }
        assertThat(call).isNotDone();
        backend.runtime.advanceMillis(20);
        assertFailed(call, LockUnavailableException.class);
    }

    @Test
    void aServerThatIsBackIsAskedAtOnce() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        backend.topic().confirm();
        for (int i = 0; i < 8; i++) {
            backend.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(1_000);
        }
        backend.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
        backend.reconnected();
        backend.next("latch-look").reply(7L, 0L, 5L);
        now(call);
    }

    @Test
    void whatIsCancelledLeavesNothingBehind() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        call.cancel(true);
        backend.runtime.advanceMillis(LINGER_MILLIS);
        assertThat(backend.topics).allMatch(topic -> topic.closed);
        backend.runtime.advanceMillis(60_000);
        backend.assertNothingOpen();
        assertThat(backend.runtime.timers()).isZero();
    }

    @Test
    void closingEndsEveryWait() {
        CompletableFuture<Void> call = waiting(7, 1, 5);
        client.close();
        assertFailed(call, LockClientClosedException.class);
        assertFailed(latch.awaitAsync().toCompletableFuture(), LockClientClosedException.class);
        assertFailed(latch.countDownAsync().toCompletableFuture(), LockClientClosedException.class);
        assertThat(backend.topics).allMatch(topic -> topic.closed);
    }

    // --- steps ---

    private CompletableFuture<Void> count() {
        return latch.countDownAsync().toCompletableFuture();
    }

    /** Lets the client hear of a generation. */
    private void know(long generation) {
        CompletableFuture<Void> call = count();
        backend.next("latch-count").reply(generation, 9L, 0L);
        backend.next("latch-count").reply(generation, 8L, 1L);
        now(call);
    }

    private Sent afterAPause(String script) {
        backend.runtime.advanceMillis(100);
        return backend.next(script);
    }

    /** A call that has seen a closed latch, and listens. */
    private CompletableFuture<Void> waiting(long generation, long left, long line) {
        CompletableFuture<Void> call = latch.awaitAsync().toCompletableFuture();
        backend.next("latch-look").reply(generation, left, line);
        assertThat(call).isNotDone();
        assertThat(backend.topic().channel).isEqualTo("holdfast:{import}:latch:free");
        return call;
    }

    /** The look that a message brings. */
    private Sent look() {
        backend.topic().publish();
        return backend.next("latch-look");
    }
}
