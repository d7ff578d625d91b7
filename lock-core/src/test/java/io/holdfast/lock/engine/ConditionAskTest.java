package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call that awaits a condition asks, and when (rules 63, 64). */
class ConditionAskTest {

    private static final long LEASE_MILLIS = 30_000;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getFairLock("stock");
    private final RCondition condition = lock.newCondition();

    @Test
    void theFirstRequestNamesTheHoldAndTheNextCallOfItsClientFollows() {
        Sent held = taken();
        lock.lockAsync(2);
        backend.next("queue-join").reply(0L, LEASE_MILLIS, 0L, 1L);

        condition.awaitAsync(1);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("cond-await", "queue-join");
        assertThat(backend.open().get(0).args).contains(held.args.get(1)).endsWith("holdfast:{stock}:free");
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    /** Once it is signalled it stands in the lock's queue as well (rule 122). */
    @Test
    void aCallThatAwaitsIsOlderThanWhatIsSwept() {
        taken();
        condition.awaitAsync(1);
        awaits(backend.next("cond-await"));
        lock.lockAsync(2);
        backend.next("queue-join").reply(0L, LEASE_MILLIS, 0L, 1L);
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        backend.topics.forEach(ScriptedBackend.Topic::silence);

        backend.topics.forEach(ScriptedBackend.Topic::confirm);

        assertThat(backend.open())
                .filteredOn(sent -> sent.script().equals("sweep"))
                .isNotEmpty()
                .allMatch(sent -> sent.args.get(1).equals("2"));
    }

    @Test
    void theEndOfItsTimeMakesItAskOnceMoreAndStay() {
        taken();
        RFuture<Boolean> call = condition.awaitAsync(100, MILLISECONDS, 1);
        awaits(backend.next("cond-await"));

        backend.runtime.advanceMillis(100);

        Sent leaving = backend.next("cond-await");
        assertThat(leaving.args.get(4)).isEqualTo("1");
        leaving.reply(0L, LEASE_MILLIS, 0L, 0L, 1L);
        assertThat(call.toCompletableFuture()).isNotDone();
        backend.topic().confirm();
        backend.next("cond-await").reply(1L, 9L, 0L, 1L);
        assertThat(call.toCompletableFuture()).isCompletedWithValue(false);
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    /** The end of its time finds it signalled. */
    @Test
    void aSignalThatCameFirstIsNoTimeOut() {
        taken();
        RFuture<Boolean> call = condition.awaitAsync(100, MILLISECONDS, 1);
        awaits(backend.next("cond-await"));

        backend.runtime.advanceMillis(100);
        backend.next("cond-await").reply(1L, 9L, 0L, 0L);

        assertThat(call.toCompletableFuture()).isCompletedWithValue(true);
    }

    @Test
    void aHoldThatTheServerDidNotKnowIsLostAndWhatItGotIsUndone() {
        taken();
        RFuture<Void> call = condition.awaitAsync(1);

        Sent request = backend.next("cond-await");
        request.reply(1L, 9L, 1L, 0L);

        Sent undo = backend.next("cond-part");
        assertThat(undo.args.get(0)).isEqualTo(request.args.get(0));
        assertThat(call.toCompletableFuture())
                .isCompletedExceptionally()
                .failsWithin(0, MILLISECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockLostException.class);
    }

    /** The first request may have been executed: finding nothing is no loss then, and wakes it. */
    @Test
    void aRepeatedRequestThatFindsNothingWakesTheCall() {
        taken();
        RFuture<Void> call = condition.awaitAsync(1);
        backend.next("cond-await").fault(Fault.Kind.DISCONNECTED, true);
        backend.runtime.advanceMillis(2_000);

        backend.next("cond-await").reply(1L, 9L, 1L, 0L);

        assertThat(call.toCompletableFuture()).isCompleted();
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    /** Neither is what it gives up known to be gone, nor what it asked for. */
    @Test
    void aCallThatIsCancelledBeforeTheFirstAnswerGivesBothBack() {
        Sent held = taken();
        RFuture<Void> call = condition.awaitAsync(1);

        call.toCompletableFuture().cancel(true);

        assertThat(backend.open()).extracting(Sent::script).contains("queue-part", "cond-part");
        assertThat(backend.open())
                .filteredOn(sent -> sent.script().equals("queue-part"))
                .allMatch(sent -> sent.args.get(1).equals(held.args.get(1)));
    }

    /** It gives up the hold when the operation before it has ended, whether anybody waits for it by then or not. */
    @Test
    void aCallThatIsCancelledBeforeItsTurnGivesUpTheHold() {
        Sent held = taken();
        RFuture<Void> signalled = condition.signalAsync(1);
        RFuture<Void> call = condition.awaitAsync(1);

        call.toCompletableFuture().cancel(true);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("cond-signal");
        assertThat(lock.isHeldByThread(1)).isTrue();
        backend.next("cond-signal").reply(1L, 0L);
        assertThat(signalled.toCompletableFuture()).isCompleted();
        assertThat(lock.isHeldByThread(1)).isFalse();
        assertThat(backend.next("queue-part").args).contains(held.args.get(1));
        backend.next("queue-part").reply(1L, 0L);
        backend.assertNothingOpen();
    }

    /** Other calls of its client keep its place alive: left behind, it would take a signal. */
    @Test
    void theUndoOfACallIsRepeatedForAsLongAsItsClientLives() {
        taken();
        RFuture<Void> call = condition.awaitAsync(1);
        awaits(backend.next("cond-await"));
        call.toCompletableFuture().cancel(true);

        for (int second = 0; second < 300; second++) {
            backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(1_000);
        }

        assertThat(backend.open()).extracting(Sent::script).contains("cond-part");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aTimeThatIsOverIsOverAtOnce(long nanos) {
        taken();
        condition.signalAsync(1);
        condition.awaitAsync(nanos, NANOSECONDS, 1);
        backend.runtime.advanceMillis(1);
        backend.next("cond-signal").reply(1L, 0L);
        awaits(backend.next("cond-await"));

        backend.runtime.advanceMillis(1);

        assertThat(backend.next("cond-await").args.get(4)).isEqualTo("1");
    }

    private Sent taken() {
        lock.lockAsync(1);
        Sent request = backend.next("queue-join");
        request.reply(1L, 7L, 0L);
        return request;
    }

    private static void awaits(Sent request) {
        request.reply(0L, -1L, 0L, 0L, 0L);
    }
}
