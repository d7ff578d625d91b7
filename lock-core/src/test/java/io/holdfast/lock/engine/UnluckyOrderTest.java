package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Orders of events in which something was once left behind, or not told. */
class UnluckyOrderTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");
    private final List<LockLoss> losses = new ArrayList<>();

    /** The backend takes the timer with it: what pauses when it is closed never runs, and its caller waits for ever. */
    @Test
    void aReleaseThatPausesWhenTheClientIsClosedIsStillSentAndEnds() {
        hold();
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").disconnected();

        client.close();

        assertThat(backend.isClosed()).isFalse();
        backend.runtime.advanceMillis(50);
        backend.next("release").done();
        assertThat(release).isCompleted();
        assertThat(backend.isClosed()).isTrue();
    }

    @Test
    void aReentryThatPausesWhenTheClientIsClosedEnds() {
        hold();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        backend.next("reenter").disconnected();

        client.close();
        backend.next("release").done();

        assertThat(again.isDone() || !backend.isClosed()).isTrue();
    }

    @Test
    void aQuestionThatPausesWhenTheClientIsClosedEnds() {
        CompletableFuture<Boolean> question = lock.isLockedAsync().toCompletableFuture();
        backend.next("inspect").disconnected();

        client.close();

        assertThat(question.isDone() || !backend.isClosed()).isTrue();
    }

    @Test
    void aLossRightAfterTheGrantIsTold() {
        CompletableFuture<LockHold> granted =
                lock.withLease(Duration.ofMillis(100)).acquireAsync().toCompletableFuture();
        granted.thenAccept(hold -> {
            hold.onLost(losses::add);
            backend.runtime.jumpMillis(100);
            hold.state();
        });
        backend.next("acquire").granted(7);
        backend.runtime.advanceMillis(1);

        assertThat(losses).hasSize(1);
    }

    /** Found by the simulation: the repeated request had a whole command timeout of its own. */
    @Test
    void aRepeatedRequestsCallEndsWithinItsWaitAndOneCommandTimeout() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        backend.runtime.advanceMillis(900);
        backend.next("acquire").disconnected();
        backend.runtime.advanceMillis(60);
        assertThat(backend.next("acquire").millisForAnAnswer()).isLessThanOrEqualTo(100);
        backend.runtime.advanceMillis(40);

        assertThat(call).isCompletedExceptionally();
    }

    /** Found by the simulation: its own request had a whole command timeout behind that of the hand-over. */
    @Test
    void anUnansweredHandOverEndsWithinTheWaitAndOneCommandTimeout() {
        hold();
        lock.tryLockAsync(100, -1, MILLISECONDS, 2);
        lock.unlockAsync(1);
        Sent handOver = backend.next("transfer");
        backend.runtime.advanceMillis(999);
        handOver.overdue();

        assertThat(backend.open())
                .filteredOn(sent -> sent.script().equals("acquire"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.millisForAnAnswer()).isLessThanOrEqualTo(101));
    }

    /** An answer to the undo before one to the request: the request met NOSCRIPT and was written again behind it. */
    @Test
    void aRequestBehindItsUndoIsUndoneAgainWhenItsConnectionBreaks() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(60, SECONDS).toCompletableFuture();
        Sent acquire = backend.next("acquire");
        call.cancel(false);
        backend.open().get(1).gone();

        acquire.disconnected();

        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
    }

    @Test
    void aRequestBehindItsUndoIsUndoneAgainWhenItIsGrantedLate() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(60, SECONDS).toCompletableFuture();
        Sent acquire = backend.next("acquire");
        call.cancel(false);
        backend.open().get(1).gone();

        acquire.overdue();
        acquire.granted(7);

        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
    }

    /** Somebody frees the lock by force between two requests of one owner that are under way at once. */
    @Test
    void aSecondGrantEndsAHoldOfWhichTheServerCannotKnowAnyMore() {
        lock.tryLockAsync(1);
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        Sent second = backend.next("acquire");

        second.granted(8);

        assertThat(backend.next("release").field())
                .as("the lost hold is undone, to be sure")
                .isEqualTo(backend.sent.get(0).field());
        backend.next("release").gone();
        CompletableFuture<Void> unlock = lock.unlockAsync(1).toCompletableFuture();
        assertThat(backend.next("release").field()).isEqualTo(second.field());
        backend.next("release").done();
        assertThat(unlock).isCompleted();
        assertFailed(lock.unlockAsync(1).toCompletableFuture(), LockLostException.class);
    }

    /** The fence may be forbidden: then the broken connection's request may still come. */
    @Test
    void anUnclearRequestIsUndoneWhenItsOwnerGotTheLockByAnotherCall() {
        lock.lockAsync(1);
        Sent unclear = backend.next("acquire");
        unclear.disconnected();
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);

        assertThat(backend.open()).extracting(Sent::script).contains("release");
    }

    /** An extension without an answer may have raised the server's lease: an undo must try for as long. */
    @Test
    void anUndoTriesAsLongAsAnUnclearExtensionMayLast() {
        LockHold hold = handle(Duration.ofSeconds(1));
        CompletableFuture<Void> extension =
                hold.extendAsync(Duration.ofMinutes(10)).toCompletableFuture();
        backend.next("renew").overdue();
        assertThat(extension).isCompletedExceptionally();
        backend.runtime.advanceMillis(1_000);
        for (int i = 0; i < 100 && !backend.open().isEmpty(); i++) {
            backend.open().stream()
                    .filter(sent -> sent.script().equals("release"))
                    .forEach(Sent::disconnected);
            backend.runtime.advanceMillis(2_000);
        }

        assertThat(backend.open()).extracting(Sent::script).contains("release");
    }

    private Sent hold() {
        lock.tryLockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private LockHold handle(Duration lease) {
        CompletableFuture<LockHold> handle =
                lock.withLease(lease).acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        return handle.join();
    }
}
