package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two kinds of one lock: whose answer counts for which call, and which owner would wait for itself. */
class KindOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final EngineClient client = (EngineClient) EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock alone = client.getLock("stock");
    private final RLock shared = client.getLock("stock", LockOptions.defaults(), ShareKind.KIND);

    // --- one owner ---

    @Test
    void twoGrantsToOneOwnerAreOneHoldOfTwoLevels() {
        CompletableFuture<Boolean> first = once(shared, 1);
        CompletableFuture<Boolean> second = once(shared, 1);
        backend.next("acquire").granted(7);
        backend.next("acquire").granted(8);
        answerAll();

        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(count(shared, 1)).isEqualTo(2);
        assertThat(backend.releasedFields()).hasSize(1);

        shared.unlockAsync(1);
        answerAll();
        assertThat(count(shared, 1)).isEqualTo(1);
        shared.unlockAsync(1);
        answerAll();
        assertThat(count(shared, 1)).isZero();
        assertThat(backend.releasedFields()).containsExactlyInAnyOrderElementsOf(backend.grantedFields());
    }

    @Test
    void anOwnerThatHasAskedForTheReleaseWaitsForItsTurn() {
        once(shared, 1);
        backend.next("acquire").granted(7);
        once(shared, 1);
        Sent reentry = backend.next("reenter");
        shared.unlockAsync(1);
        shared.unlockAsync(1);
        CompletableFuture<Boolean> whole = once(alone, 1);
        reentry.done();
        backend.next("release").done();
        backend.next("release").done();

        assertThat(whole).isNotDone();
        backend.next("acquire").granted(8);
        assertThat(whole).isCompletedWithValue(true);
    }

    @Test
    void aGrantOfAShareEndsTheOwnersWaitForTheWhole() {
        CompletableFuture<Boolean> whole = waiter(alone, 1, 10_000);
        backend.next("acquire").refused(60_000);
        CompletableFuture<Boolean> share = once(shared, 1);
        backend.next("acquire").granted(7);
        assertThat(share).isCompletedWithValue(true);
        assertFailed(whole, IllegalMonitorStateException.class);
    }

    @Test
    void anOwnerThatSharesItDoesNotHoldItAlone() {
        once(shared, 1);
        backend.next("acquire").granted(7);
        assertThat(shared.isHeldByThread(1)).isTrue();
        assertThat(alone.isHeldByThread(1)).isFalse();
        assertFailed(alone.unlockAsync(1).toCompletableFuture(), LockNotHeldException.class);
        backend.assertNothingOpen();
    }

    // --- who is told false ---

    @Test
    void theRefusalOfTheWholeDoesNotRefuseAShareThatIsBeingAsked() {
        CompletableFuture<Boolean> first = waiter(shared, 1, 50);
        Sent asked = backend.next("acquire");
        CompletableFuture<Boolean> late = waiter(shared, 2, 50);
        backend.runtime.advanceMillis(60);
        assertThat(late).isNotDone();
        CompletableFuture<Boolean> whole = once(alone, 3);
        backend.open().get(1).refused(60_000);
        assertThat(whole).isCompletedWithValue(false);
        assertThat(late).isNotDone();

        asked.granted(7);
        assertThat(first).isCompletedWithValue(true);
        backend.next("acquire").granted(8);
        assertThat(late).isCompletedWithValue(true);
    }

    @Test
    void aShareBehindARefusedWholeIsToldInTime() {
        CompletableFuture<Boolean> whole = waiter(alone, 1, 60_000);
        backend.next("acquire").refused(60_000);
        CompletableFuture<Boolean> late = waiter(shared, 2, 50);
        backend.runtime.advanceMillis(60);
        backend.next("acquire").refused(60_000);
        assertThat(late).isCompletedWithValue(false);
        assertThat(whole).isNotDone();
    }

    // --- who sleeps ---

    @Test
    void aShareThatIsGrantedBesideTheQueueWakesItsHead() {
        CompletableFuture<Boolean> waiting = waiter(shared, 1, 60_000);
        backend.next("acquire").refused(60_000);
        CompletableFuture<Boolean> beside = once(shared, 2);
        backend.next("acquire").granted(7);
        assertThat(beside).isCompletedWithValue(true);

        backend.next("acquire").granted(8);
        assertThat(waiting).isCompletedWithValue(true);
    }

    @Test
    void sharesBehindAWholeGoOnWhenItsWaitIsOver() {
        once(shared, 1);
        backend.next("acquire").granted(7);
        CompletableFuture<Boolean> whole = waiter(alone, 2, 100);
        CompletableFuture<Boolean> share = waiter(shared, 3, 10_000);
        CompletableFuture<Boolean> share2 = waiter(shared, 4, 10_000);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(101);
        assertThat(whole).isCompletedWithValue(false);
        backend.next("acquire").granted(8);
        backend.next("acquire").granted(9);
        assertThat(share).isCompletedWithValue(true);
        assertThat(share2).isCompletedWithValue(true);
        assertThat(shared.isHeldByThread(1)).isTrue();
    }

    @Test
    void theWholeIsNotMovedToAShare() {
        once(alone, 1);
        backend.next("acquire").granted(7);
        CompletableFuture<Boolean> share = waiter(shared, 2, 10_000);
        alone.unlockAsync(1);
        backend.next("release").done();
        Sent ask = backend.next("acquire");
        assertThat(ask.field()).endsWith("~");
        ask.granted(8);
        assertThat(share).isCompletedWithValue(true);
    }

    // --- in whose words ---

    @Test
    void whatIsUndoneIsUndoneInTheWordsOfItsKind() {
        CompletableFuture<Boolean> share = waiter(shared, 1, 10_000);
        Sent asked = backend.next("acquire");
        share.cancel(false);
        Sent undo = backend.next("acquire") == asked
                ? backend.open().get(1)
                : backend.open().get(0);
        assertThat(undo.script()).isEqualTo("release");
        assertThat(undo.field()).isEqualTo(asked.field()).endsWith("~");
    }

    @Test
    void aWaitForTheNextTryEndsWithAHandOver() {
        CompletableFuture<Boolean> waiting = waiter(alone, 2, 10_000);
        backend.next("acquire").fault(Fault.Kind.LOADING, false);
        once(alone, 1);
        backend.next("acquire").granted(7);
        alone.unlockAsync(1);
        Sent transfer = backend.next("transfer");
        backend.runtime.advanceMillis(900);
        assertThat(backend.open()).containsExactly(transfer);
        transfer.gone();
        backend.next("acquire").granted(9);
        assertThat(waiting).isCompletedWithValue(true);
    }

    // --- composed locks, views ---

    @Test
    void viewsAndComposedLocksOfAnotherKindAreOtherLocks() {
        RLock other = client.getLock("other");
        assertThat(shared).isNotEqualTo(alone);
        assertThat(shared.withLease(Duration.ofSeconds(3))).isEqualTo(shared);
        assertThat(MultiLock.of(shared, other)).isNotEqualTo(MultiLock.of(alone, other));
    }

    private void answerAll() {
        while (!backend.open().isEmpty()) {
            backend.open().get(0).done();
        }
    }

    private static int count(RLock lock, long thread) {
        return lock.getHoldCountAsync(thread).toCompletableFuture().join();
    }

    private static CompletableFuture<Boolean> once(RLock lock, long thread) {
        return lock.tryLockAsync(thread).toCompletableFuture();
    }

    private static CompletableFuture<Boolean> waiter(RLock lock, long thread, long waitMillis) {
        return lock.tryLockAsync(waitMillis, 600_000, MILLISECONDS, thread).toCompletableFuture();
    }
}
