package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who is told {@code false}: calls that another owner kept from the lock, as an answer said not long ago (rules 77, 78). */
class SeenOrderTest {

    private static final long COMMAND_MILLIS = 1_000;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");

    // --- behind a hold of the same client ---

    @Test
    void aHoldThatWasSeenLatelyRefusesWithoutAQuestion() {
        hold(60_000);
        backend.runtime.advanceMillis(4_000);
        CompletableFuture<Boolean> call = waiter(2, 500);

        backend.runtime.advanceMillis(500);

        assertThat(call).isCompletedWithValue(false);
        backend.assertNothingOpen();
    }

    @Test
    void aHoldThatWasSeenLongAgoIsAskedAfterAtOnce() {
        hold(60_000);
        backend.runtime.advanceMillis(5_001);
        CompletableFuture<Boolean> call = waiter(2, 2_000);

        backend.next("acquire").granted(8);

        assertThat(call).isCompletedWithValue(true);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void aHoldIsAskedAfterWhenItHasBeenTrustedForLongEnough() {
        hold(60_000);
        backend.runtime.advanceMillis(4_000);
        CompletableFuture<Boolean> call = waiter(2, 2_000);

        backend.runtime.advanceMillis(999);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(2);
        backend.next("acquire").granted(8);

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aRenewalTellsThatTheHoldIsAlive() {
        hold(-1);
        backend.runtime.advanceMillis(10_000);
        backend.next("renew").done();
        backend.runtime.advanceMillis(2_000);
        CompletableFuture<Boolean> call = waiter(2, 500);

        backend.runtime.advanceMillis(500);

        assertThat(call).isCompletedWithValue(false);
        backend.assertNothingOpen();
    }

    @Test
    void aReentryTellsThatTheHoldIsAlive() {
        hold(20_000);
        backend.runtime.advanceMillis(10_000);
        lock.lockAsync(20, SECONDS, 1);
        backend.next("reenter").done();
        CompletableFuture<Boolean> call = waiter(2, 500);

        backend.runtime.advanceMillis(500);

        assertThat(call).isCompletedWithValue(false);
        backend.assertNothingOpen();
    }

    @Test
    void shortWaitsCostOneQuestionInFiveSeconds() {
        hold(600_000);
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Boolean> call = waiter(2 + i, 500);
            refuseAll();
            backend.runtime.advanceMillis(500);
            refuseAll();
            assertThat(call).isCompletedWithValue(false);
        }

        assertThat(backend.sent).as("one acquired it, nine asked after it").hasSizeBetween(9, 11);
    }

    // --- behind a head that has no answer ---

    @Test
    void atAServerThatHangsNobodyIsRefused() {
        List<CompletableFuture<Boolean>> calls = LongStream.rangeClosed(1, 4)
                .mapToObj(thread -> waiter(thread, 500))
                .toList();

        for (int i = 0; i < 500 + COMMAND_MILLIS; i += 10) {
            assertThat(calls).noneMatch(call -> call.isDone() && !call.isCompletedExceptionally());
            backend.runtime.advanceMillis(10);
            backend.open().stream().filter(Sent::isDue).forEach(Sent::overdue);
        }

        calls.forEach(call -> assertFailed(call, LockException.class));
    }

    @Test
    void aRefusalOfTheHeadRefusesThoseWhoseWaitIsOver() {
        CompletableFuture<Void> head = lock.lockAsync(1).toCompletableFuture();
        CompletableFuture<Boolean> late = waiter(2, 500);
        CompletableFuture<Boolean> patient = waiter(3, 5_000);
        backend.runtime.advanceMillis(900);
        assertThat(late).isNotDone();

        backend.next("acquire").refused(60_000);

        assertThat(late).isCompletedWithValue(false);
        assertThat(head).isNotDone();
        assertThat(patient).isNotDone();
    }

    @Test
    void soItDoesWhenTheAnswerTookLongerThanAHoldIsTrusted() {
        RLock far = EngineClient.over(
                        backend,
                        ClientOptions.builder()
                                .commandTimeout(Duration.ofSeconds(20))
                                .build(),
                        "f")
                .getLock("stock");
        far.lockAsync(1);
        CompletableFuture<Boolean> late =
                far.tryLockAsync(500, -1, MILLISECONDS, 2).toCompletableFuture();
        backend.runtime.advanceMillis(10_000);
        assertThat(late).isNotDone();

        backend.next("acquire").refused(60_000);

        assertThat(late).isCompletedWithValue(false);
    }

    @Test
    void aGrantToTheHeadRefusesThoseWhoseWaitIsOver() {
        lock.lockAsync(1);
        CompletableFuture<Boolean> late = waiter(2, 500);
        backend.runtime.advanceMillis(900);

        backend.next("acquire").granted(7);

        assertThat(late).isCompletedWithValue(false);
    }

    @Test
    void aRefusalOfACallWithoutAWaitRefusesThemToo() {
        lock.lockAsync(1);
        CompletableFuture<Boolean> late = waiter(2, 500);
        backend.runtime.advanceMillis(900);
        lock.tryLockAsync(3);

        backend.open().get(1).refused(60_000);

        assertThat(late).isCompletedWithValue(false);
    }

    @Test
    void aHandOverToTheHeadRefusesThoseWhoseWaitIsOver() {
        hold(60_000);
        lock.lockAsync(2);
        CompletableFuture<Boolean> late = waiter(3, 500);
        backend.runtime.advanceMillis(40);
        lock.unlockAsync(1);
        backend.runtime.advanceMillis(600);
        assertThat(late).isNotDone();

        backend.next("transfer").granted(8);

        assertThat(late).isCompletedWithValue(false);
    }

    @Test
    void whoBecomesTheHeadAfterItsWaitAsksForTheRestOfItsBound() {
        CompletableFuture<Void> first = lock.lockAsync(1).toCompletableFuture();
        CompletableFuture<Boolean> late = waiter(2, 500);
        backend.runtime.advanceMillis(900);
        first.cancel(false);

        Sent own = backend.open().stream()
                .filter(call -> call.script().equals("acquire") && call.field().startsWith("c:2:"))
                .findFirst()
                .orElseThrow();
        assertThat(own.millisForAnAnswer()).isEqualTo(500 + COMMAND_MILLIS - 900);
        own.granted(8);

        assertThat(late).isCompletedWithValue(true);
    }

    @Test
    void aRefusalThatIsTooOldMakesTheHeadAskAgain() {
        lock.lockAsync(1);
        backend.next("acquire").refused(60_000);
        backend.topic().confirm();
        backend.runtime.advanceMillis(900);
        backend.next("acquire").refused(60_000);
        CompletableFuture<Boolean> call = waiter(2, 4_200);
        backend.runtime.advanceMillis(4_150);
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(100);

        assertThat(backend.next("acquire").field()).startsWith("c:1:");
        assertThat(call).isNotDone();
        backend.next("acquire").refused(60_000);
        assertThat(call).isCompletedWithValue(false);
    }

    // --- faults ---

    @Test
    void aFaultAfterARefusalIsAFault() {
        CompletableFuture<Void> head = lock.lockAsync(1).toCompletableFuture();
        backend.next("acquire").refused(60_000);
        CompletableFuture<Boolean> late = waiter(2, 500);
        backend.topic().confirm();
        for (int i = 0; i < 500 + COMMAND_MILLIS; i += 10) {
            backend.open().forEach(asked -> asked.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(10);
        }

        assertFailed(late, LockUnavailableException.class);
        assertThat(head).isNotDone();
    }

    @Test
    void aFaultThatPassesWithinTheBoundIsNone() {
        lock.lockAsync(1);
        backend.next("acquire").fault(Fault.Kind.UNREACHABLE, false);
        CompletableFuture<Boolean> late = waiter(2, 5);
        while (backend.open().isEmpty()) {
            backend.runtime.advanceMillis(1);
        }
        backend.runtime.advanceMillis(20);
        assertThat(late).isNotDone();

        backend.next("acquire").refused(60_000);

        assertThat(late).isCompletedWithValue(false);
    }

    private void hold(long leaseMillis) {
        lock.tryLockAsync(0, leaseMillis, MILLISECONDS, 1);
        backend.next("acquire").granted(7);
    }

    private CompletableFuture<Boolean> waiter(long threadId, long waitMillis) {
        return lock.tryLockAsync(waitMillis, -1, MILLISECONDS, threadId).toCompletableFuture();
    }

    private void refuseAll() {
        backend.open().forEach(asked -> asked.refused(500_000));
    }
}
