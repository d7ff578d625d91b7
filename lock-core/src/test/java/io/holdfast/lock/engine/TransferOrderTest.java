package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Handing a lock over to a waiter of the same client by a transfer, whatever happens meanwhile. */
class TransferOrderTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final ClientOptions byTheServer =
            ClientOptions.builder().localHandOver(false).build();
    private final RLock lock = EngineClient.over(backend, byTheServer, "c").getLock("stock");

    @Test
    void aReleaseWithAWaiterHandsTheLockOverInOneStep() {
        Sent acquire = hold();
        CompletableFuture<Boolean> waiter = waiter(2);
        CompletableFuture<Void> release = unlock(1);

        Sent transfer = backend.next("transfer");
        assertThat(lock.isHeldByThread(1)).isFalse();
        assertThat(lock.isHeldByThread(2)).isFalse();
        assertThat(transfer.field()).isEqualTo(acquire.field());
        assertThat(transfer.args.get(1)).startsWith("c:2:");
        assertThat(transfer.args.get(2)).isEqualTo("30000");
        transfer.granted(8);

        assertThat(release).isCompleted();
        assertThat(waiter).isCompletedWithValue(true);
        assertThat(lock.isHeldByThread(2)).isTrue();
        backend.assertNothingOpen();
    }

    @Test
    void theReceiversValidityCountsFromBeforeTheHandOverWasSent() {
        hold();
        CompletableFuture<Boolean> waiter = lock.tryLockAsync(60, 1, SECONDS, 2).toCompletableFuture();
        unlock(1);
        backend.runtime.jumpMillis(987);

        backend.next("transfer").granted(8);

        assertThat(waiter).isCompletedWithValue(true);
        assertThat(lock.isHeldByThread(2)).isTrue();
        backend.runtime.jumpMillis(2);
        assertThat(lock.isHeldByThread(2)).isFalse();
    }

    @Test
    void anAmbiguousHandOverIsSentAgainAsItWas() {
        hold();
        CompletableFuture<Boolean> waiter = waiter(2);
        CompletableFuture<Void> release = unlock(1);
        Sent first = backend.next("transfer");
        first.disconnected();
        backend.runtime.advanceMillis(50);

        Sent second = backend.next("transfer");
        assertThat(second.args).isEqualTo(first.args);
        second.granted(8);

        assertThat(release).isCompleted();
        assertThat(waiter).isCompletedWithValue(true);
    }

    @Test
    void anAmbiguousHandOverThatCannotBeClearedUpReleasesBothFields() {
        hold();
        waiter(2);
        CompletableFuture<Void> release = unlock(1);
        Sent transfer = backend.next("transfer");
        transfer.overdue();

        assertFailed(release, LockOutcomeUnknownException.class);
        assertThat(releasedFields()).containsExactlyInAnyOrder(transfer.field(), transfer.args.get(1));
        assertThat(backend.sent.get(backend.sent.size() - 1).script()).isEqualTo("acquire");
    }

    @Test
    void aReceiverThatCancelsMeanwhilePassesTheLockOn() {
        hold();
        CompletableFuture<Boolean> second = waiter(2);
        CompletableFuture<Boolean> third = waiter(3);
        unlock(1);
        Sent transfer = backend.next("transfer");
        second.cancel(false);
        for (Sent attempt : backend.open()) {
            if (attempt.script().equals("acquire")) {
                attempt.refused(5_000);
            }
        }

        transfer.granted(8);

        Sent passedOn = backend.next("transfer");
        assertThat(passedOn.field()).isEqualTo(transfer.args.get(1));
        passedOn.granted(9);
        assertThat(third).isCompletedWithValue(true);
    }

    @Test
    void aReceiverThatCancelsWithNobodyBehindItReleasesTheLock() {
        hold();
        CompletableFuture<Boolean> waiter = waiter(2);
        unlock(1);
        Sent transfer = backend.next("transfer");
        waiter.cancel(false);

        transfer.granted(8);

        assertThat(backend.next("release").field()).isEqualTo(transfer.args.get(1));
    }

    @Test
    void aHandOverThatFindsNothingPutsTheWaiterBackAndItAsks() {
        hold();
        CompletableFuture<Boolean> waiter = waiter(2);
        CompletableFuture<Void> release = unlock(1);
        Sent transfer = backend.next("transfer");
        transfer.gone();

        assertFailed(release, LockLostException.class);
        Sent attempt = backend.next("acquire");
        assertThat(attempt.field()).startsWith("c:2:").isNotEqualTo(transfer.args.get(1));
        attempt.granted(9);
        assertThat(waiter).isCompletedWithValue(true);
    }

    @Test
    void aHandOverThatIsRefusedForGoodBecomesARelease() {
        Sent acquire = hold();
        waiter(2);
        unlock(1);
        backend.next("transfer").fault(Fault.Kind.OOM, false);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("release", "acquire");
        assertThat(backend.open().get(0).field()).isEqualTo(acquire.field());
    }

    @Test
    void aWaiterWithAnAttemptInFlightIsNotHandedTheLock() {
        hold();
        waiter(2);
        backend.topic().publish();
        backend.next("acquire");

        unlock(1);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("acquire", "release");
    }

    @Test
    void aRetryThatComesDueDuringAHandOverIsNotSent() {
        hold();
        CompletableFuture<Boolean> waiter = waiter(2);
        backend.topic().publish();
        backend.next("acquire").fault(Fault.Kind.LOADING, false);
        unlock(1);
        Sent transfer = backend.next("transfer");
        backend.runtime.advanceMillis(900);
        assertThat(backend.open()).containsExactly(transfer);

        transfer.granted(8);

        assertThat(waiter).isCompletedWithValue(true);
        backend.runtime.advanceMillis(900);
        backend.assertNothingOpen();
    }

    @Test
    void noFieldIsEverTakenTwice() {
        for (int seed = 1; seed <= 50; seed++) {
            Set<String> taken = new HashSet<>();
            Set<String> spent = new HashSet<>();
            new RandomRun(seed, call -> {
                        String taking =
                                switch (call.script()) {
                                    case "acquire" -> call.field();
                                    case "transfer" -> call.args.get(1);
                                    default -> "";
                                };
                        assertThat(spent).as("fields whose release was sent").doesNotContain(taking);
                        taken.add(taking);
                        boolean ends = call.script().equals("transfer")
                                || call.script().equals("release")
                                        && call.args.get(1).equals("0");
                        if (ends) {
                            assertThat(taken).contains(call.field());
                        }
                        if (call.script().equals("release") && call.args.get(1).equals("0")) {
                            spent.add(call.field());
                        }
                    })
                    .run();
        }
    }

    @Test
    void aWaiterWhoseAttemptMayHaveTakenEffectGetsNoHandOver() {
        hold();
        waiter(2);
        backend.topic().publish();
        Sent attempt = backend.next("acquire");
        attempt.disconnected();

        unlock(1);

        assertThat(backend.next("release").args).endsWith("0", "holdfast:{stock}:free", "0");
        Sent again = backend.open().get(1);
        assertThat(again.script()).isEqualTo("acquire");
        assertThat(again.field()).isEqualTo(attempt.field());
    }

    private Sent hold() {
        lock.tryLockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private CompletableFuture<Boolean> waiter(long threadId) {
        return lock.tryLockAsync(60, -1, SECONDS, threadId).toCompletableFuture();
    }

    private CompletableFuture<Void> unlock(long threadId) {
        return lock.unlockAsync(threadId).toCompletableFuture();
    }

    private List<String> releasedFields() {
        return backend.sent.stream()
                .filter(call -> call.script().equals("release"))
                .map(Sent::field)
                .toList();
    }
}
