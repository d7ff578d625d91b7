package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How long calls without a limit put up with an outage: it counts once for all of them, from its first request. */
class OutageOrderTest {

    private static final long OUTAGE_MILLIS = 2_000;
    private static final long COMMAND_MILLIS = 1_000;
    private static final Consumer<Sent> UNREACHABLE = sent -> sent.fault(Fault.Kind.UNREACHABLE, false);
    private static final Consumer<Sent> SILENT = sent -> {};

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock = EngineClient.over(
                    backend,
                    ClientOptions.builder()
                            .commandTimeout(Duration.ofMillis(COMMAND_MILLIS))
                            .maxOutage(Duration.ofMillis(OUTAGE_MILLIS))
                            .build(),
                    "c")
            .getLock("stock");

    @Test
    void allWhoWaitedBeforeAnOutageEndWithItWhenTheServerHangs() {
        List<CompletableFuture<?>> waiters = waiters(100);
        backend.runtime.advanceMillis(100);
        backend.topic().publish();

        assertThat(millisUntilAllFail(waiters, SILENT)).isBetween(OUTAGE_MILLIS, OUTAGE_MILLIS + COMMAND_MILLIS);
    }

    @Test
    void soTheyDoWhenItCannotBeReached() {
        List<CompletableFuture<?>> waiters = waiters(100);
        backend.runtime.advanceMillis(100);
        backend.topic().publish();

        assertThat(millisUntilAllFail(waiters, UNREACHABLE))
                .isBetween(OUTAGE_MILLIS - 1_000, OUTAGE_MILLIS + COMMAND_MILLIS);
        assertThat(backend.sent).as("one asks for all").hasSizeLessThan(30);
    }

    @Test
    void aWaitOfMoreThanTenYearsHasNoLimit() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(4_000, -1, DAYS, 1).toCompletableFuture();

        assertThat(millisUntilAllFail(List.of(call), UNREACHABLE)).isLessThanOrEqualTo(OUTAGE_MILLIS + COMMAND_MILLIS);
    }

    @Test
    void anOutageBeginsWithTheRequestThatWasCutOffLate() {
        List<CompletableFuture<?>> waiters = waiters(1);
        backend.topic().publish();
        Sent cutOff = backend.next("acquire");
        backend.runtime.advanceMillis(1_500);
        cutOff.disconnected();

        assertThat(millisUntilAllFail(waiters, UNREACHABLE)).isLessThanOrEqualTo(500 + COMMAND_MILLIS);
    }

    @Test
    void whoWaitsBehindACallWithALimitEndsWithTheOutageToo() {
        CompletableFuture<Boolean> head = lock.tryLockAsync(60, -1, SECONDS, 1).toCompletableFuture();
        CompletableFuture<Void> behind = lock.lockAsync(2).toCompletableFuture();

        assertThat(millisUntilAllFail(List.of(behind), SILENT))
                .isBetween(OUTAGE_MILLIS, OUTAGE_MILLIS + COMMAND_MILLIS);
        assertFailed(behind, LockUnavailableException.class);
        assertThat(head).isNotDone();
    }

    @Test
    void aCallThatComesDuringAnOutageHasAWholeOne() {
        CompletableFuture<Void> first = lock.lockAsync(1).toCompletableFuture();
        backend.runtime.advanceMillis(1_500);
        CompletableFuture<Void> second = lock.lockAsync(2).toCompletableFuture();

        assertThat(millisUntilAllFail(List.of(first), SILENT)).isLessThanOrEqualTo(500);
        assertThat(second).isNotDone();
        assertThat(millisUntilAllFail(List.of(second), SILENT)).isBetween(1_450L, 1_500 + COMMAND_MILLIS);
    }

    @Test
    void anAnswerEndsAnOutage() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        for (int i = 0; i < 4; i++) {
            playFor(900, UNREACHABLE);
            while (backend.open().isEmpty()) {
                backend.runtime.advanceMillis(10);
            }
            backend.next("acquire").refused(60_000);
            backend.topic().publish();
        }

        assertThat(call).isNotDone();
    }

    @Test
    void aHandOverEndsAnOutage() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        lock.lockAsync(2);
        CompletableFuture<Void> third = lock.lockAsync(3).toCompletableFuture();
        backend.topic().publish();
        backend.open().forEach(UNREACHABLE);
        lock.unlockAsync(1);
        backend.next("transfer").granted(8);

        playFor(OUTAGE_MILLIS + 1_000, SILENT);

        assertThat(third).isNotDone();
    }

    @Test
    void aFaultOfACallWithoutAWaitBeginsNone() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        CompletableFuture<Void> waiter = lock.lockAsync(2).toCompletableFuture();
        lock.tryLockAsync(3);
        backend.next("acquire").fault(Fault.Kind.QUEUE_FULL, false);

        playFor(OUTAGE_MILLIS + 1_000, SILENT);

        assertThat(waiter).isNotDone();
    }

    @Test
    void reentriesPutUpWithOneOutageTogether() {
        lock.lockAsync(120, SECONDS, 1);
        backend.next("acquire").granted(7);
        List<CompletableFuture<?>> reentries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reentries.add(lock.lockAsync(120, SECONDS, 1).toCompletableFuture());
        }

        assertThat(millisUntilAllFail(reentries, sent -> sent.fault(Fault.Kind.BUSY, false)))
                .isLessThanOrEqualTo(OUTAGE_MILLIS + COMMAND_MILLIS);
    }

    @Test
    void noTimerIsLeftWhenNobodyWaitsAnyMore() {
        int before = backend.runtime.timers();
        waiters(1).get(0).cancel(false);

        backend.runtime.advanceMillis(1_100);

        assertThat(backend.runtime.timers()).isEqualTo(before);
    }

    /** Calls of as many threads, behind another client. */
    private List<CompletableFuture<?>> waiters(int number) {
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        for (int thread = 1; thread <= number; thread++) {
            waiters.add(lock.lockAsync(thread).toCompletableFuture());
        }
        backend.next("acquire").refused(60_000);
        backend.topic().confirm();
        backend.next("acquire").refused(60_000);
        return waiters;
    }

    private long millisUntilAllFail(List<? extends CompletableFuture<?>> calls, Consumer<Sent> answer) {
        long millis = 0;
        while (!calls.stream().allMatch(CompletableFuture::isDone) && millis < 400_000) {
            play(answer);
            millis += 10;
        }
        calls.forEach(call -> assertFailed(call, LockException.class));
        return millis;
    }

    private void playFor(long millis, Consumer<Sent> answer) {
        for (long played = 0; played < millis; played += 10) {
            play(answer);
        }
    }

    /** Ten milliseconds with a server that answers like this, or not at all. */
    private void play(Consumer<Sent> answer) {
        backend.open().forEach(answer);
        backend.runtime.advanceMillis(10);
        backend.open().stream().filter(Sent::isDue).forEach(Sent::overdue);
    }
}
