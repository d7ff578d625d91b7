package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.wait.HeadAsks;
import io.holdfast.lock.spi.Fault;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A lock has a loop while somebody wants it, and none when the last has left, however that was.
 *
 * <p>Timers that are cancelled have always begun to run here: their steps come anyway, when their ticket has left
 * the loop, or is in another one.
 */
class LoopLifeTest {

    private static final long LINGER_MILLIS = 1_100;
    private static final long COMMAND_MILLIS =
            ClientOptions.defaults().commandTimeout().toMillis();

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockKeys names = LockKeys.of("stock", LockOptions.defaults());
    private final EngineLock lock = new EngineLock(engine, new Terms(Reentrant.KIND, LockOptions.defaults()), names);
    private final LockCell cell = engine.cells().cell(names);

    @BeforeEach
    void everyCancellationComesTooLate() {
        backend.runtime.cancelsTooLate();
    }

    @AfterEach
    void nothingIsLeft() {
        backend.runtime.advanceMillis(LINGER_MILLIS);
        assertThat(HeadAsks.of(cell)).isNull();
        assertThat(backend.topics).allMatch(topic -> topic.closed);
    }

    @Test
    void itGoesWithTheGrant() {
        lock.lockAsync(1);
        assertThat(HeadAsks.of(cell)).isNotNull();
        backend.next("acquire").granted(7);
        assertThat(HeadAsks.of(cell)).isNull();
        assertThat(cell.waiters()).isZero();

        lock.unlockAsync(1);
        assertThat(HeadAsks.of(cell)).isNull();
        backend.next("release").done();
    }

    @Test
    void itGoesWithTheRefusal() {
        lock.tryLockAsync(1);
        backend.next("acquire").refused(5_000);
        assertThat(HeadAsks.of(cell)).isNull();
    }

    @Test
    void itGoesWithAFaultThatNobodyCanMend() {
        lock.tryLockAsync(1);
        backend.next("acquire").fault(Fault.Kind.NOPERM, false);
        assertThat(HeadAsks.of(cell)).isNull();
    }

    @Test
    void itStaysForWhoeverWaitsAndForALittleWhileAfter() {
        lock.tryLockAsync(10, 30, SECONDS, 1);
        backend.next("acquire").refused(5_000);
        HeadAsks loop = HeadAsks.of(cell);
        assertThat(loop).isNotNull();
        assertThat(cell.waiters()).isOne();

        backend.topic().publish();
        backend.next("acquire").granted(7);
        assertThat(HeadAsks.of(cell)).isSameAs(loop);
        assertThat(cell.waiters()).isZero();
    }

    @Test
    void itGoesWhenTheDeadlinePasses() {
        lock.tryLockAsync(200, 30_000, MILLISECONDS, 1);
        backend.next("acquire").refused(5_000);
        backend.runtime.advanceMillis(200);
        assertThat(cell.waiters()).isZero();
    }

    @Test
    void itGoesWhenAnAnswerIsNotThereInTime() {
        lock.tryLockAsync(1);
        Sent unanswered = backend.next("acquire");
        unanswered.overdue();
        assertThat(HeadAsks.of(cell)).isNull();

        unanswered.granted(7);
        backend.next("release").done();
    }

    @Test
    void itGoesWithTheLastCallThatIsCancelled() {
        RFuture<Boolean> head = lock.tryLockAsync(10, 30, SECONDS, 1);
        RFuture<Boolean> next = lock.tryLockAsync(10, 30, SECONDS, 2);
        backend.next("acquire").refused(5_000);

        head.cancel(true);
        assertThat(cell.waiters()).isOne();
        backend.next("acquire").refused(5_000);
        next.cancel(true);
        assertThat(cell.waiters()).isZero();
    }

    @Test
    void itGoesAfterAHandOver() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(10, 30, SECONDS, 2);
        HeadAsks loop = HeadAsks.of(cell);
        lock.unlockAsync(1);
        backend.next("transfer").granted(8);
        assertThat(HeadAsks.of(cell)).isSameAs(loop);

        backend.runtime.advanceMillis(LINGER_MILLIS);
        assertThat(HeadAsks.of(cell)).isNull();
        lock.unlockAsync(2);
        backend.next("release").done();
    }

    @Test
    void itGoesWhenTheReceiverOfAHandOverHasLeft() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        RFuture<Boolean> receiver = lock.tryLockAsync(10, 30, SECONDS, 2);
        lock.unlockAsync(1);
        Sent transfer = backend.next("transfer");
        receiver.cancel(true);
        backend.runtime.advanceMillis(LINGER_MILLIS);
        assertThat(HeadAsks.of(cell)).isNull();

        transfer.granted(8);
        assertThat(backend.next("release").field()).isEqualTo(transfer.args.get(1));
        backend.next("release").done();
    }

    @Test
    void anAnswerForACallThatHasLeftDoesNotDisturbThoseWhoCameAfterIt() {
        RFuture<Boolean> first = lock.tryLockAsync(1);
        Sent forgotten = backend.next("acquire");
        first.cancel(true);
        assertThat(HeadAsks.of(cell)).isNull();

        RFuture<Boolean> second = lock.tryLockAsync(2);
        HeadAsks loop = HeadAsks.of(cell);
        forgotten.granted(7);
        assertThat(HeadAsks.of(cell)).isSameAs(loop);
        assertThat(lock.isHeldByThread(1)).isFalse();

        backend.next("release").done();
        backend.open().stream().filter(call -> call.script().equals("acquire")).forEach(call -> call.granted(8));
        assertThat(second.toCompletableFuture()).isCompletedWithValue(true);
        assertThat(lock.isHeldByThread(2)).isTrue();
        backend.open().forEach(Sent::done);
    }

    /** The step of the timer was left behind before the call became a re-entry, and comes after it. */
    @Test
    void aCallThatHasBecomeAReentryIsNotTriedAgain() {
        RFuture<Void> waiting = lock.lockAsync(1);
        backend.next("acquire").fault(Fault.Kind.LOADING, false);
        lock.tryLockAsync(1);
        Sent asked = backend.next("acquire");
        cell.run(() -> {
            asked.granted(7);
            backend.runtime.advanceMillis(1_000);
        });

        assertThat(backend.open()).hasSize(1);
        backend.next("reenter").done();
        assertThat(waiting.toCompletableFuture()).isCompleted();
        assertThat(lock.holdCount(Owner.thread(1))).isEqualTo(2);
    }

    @Test
    void aCallThatHasBecomeAReentryIsNotRefusedAtItsDeadline() {
        RFuture<Boolean> waiting = lock.tryLockAsync(500, 30_000, MILLISECONDS, 1);
        backend.next("acquire").refused(5_000);
        lock.tryLockAsync(1);
        Sent asked = backend.next("acquire");
        cell.run(() -> {
            asked.granted(7);
            backend.runtime.advanceMillis(500);
        });

        backend.next("reenter").done();
        assertThat(waiting.toCompletableFuture()).isCompletedWithValue(true);
    }

    @Test
    void aCallThatIsInAnotherLoopEndsThere() {
        lock.lockAsync(1);
        RFuture<Boolean> waiting = lock.tryLockAsync(200, 30_000, MILLISECONDS, 1);
        backend.next("acquire").fault(Fault.Kind.LOADING, false);
        HeadAsks first = HeadAsks.of(cell);
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        backend.next("reenter").gone();
        assertThat(HeadAsks.of(cell)).isNotNull().isNotSameAs(first);
        backend.next("release").done();
        backend.next("acquire").refused(5_000);

        backend.runtime.advanceMillis(200);
        assertThat(waiting.toCompletableFuture()).isCompletedWithValue(false);
        backend.assertNothingOpen();
    }

    @Test
    void aReentryThatHasGoneBackToTheLoopDoesNotFailForWantOfATurn() {
        lock.lockAsync(1_000, MILLISECONDS, 1);
        backend.next("acquire").granted(7);
        backend.runtime.advanceMillis(100);
        lock.tryLockAsync(1);
        Sent unanswered = backend.next("reenter");
        RFuture<Boolean> waiting = lock.tryLockAsync(1);
        backend.runtime.advanceMillis(COMMAND_MILLIS - 1);
        unanswered.overdue();
        backend.runtime.advanceMillis(2);

        assertThat(waiting.isDone()).isFalse();
        unanswered.gone();
        backend.next("release").done();
        backend.next("acquire").granted(8);
        assertThat(waiting.toCompletableFuture()).isCompletedWithValue(true);
    }

    /** Else the loops of all conditions that were ever awaited would stay while one call waits. */
    @Test
    void itGoesThoughCallsOfAnotherKindWait() {
        RFuture<Boolean> plain = lock.tryLockAsync(100, 30, SECONDS, 1);
        backend.next("acquire").refused(50_000);
        EngineLock fair = new EngineLock(engine, new Terms(Queued.FAIR, LockOptions.defaults()), names);
        RFuture<Boolean> queued = fair.tryLockAsync(100, 30, SECONDS, 2);
        backend.next("queue-join").reply(0L, 50_000L, 0L, 1L);
        assertThat(cell.wanting()).isNotSameAs(HeadAsks.of(cell));

        queued.cancel(true);
        backend.runtime.advanceMillis(LINGER_MILLIS);

        assertThat(cell.wanting()).isNotNull().isSameAs(HeadAsks.of(cell));
        plain.cancel(true);
    }

    @Test
    void itGoesWhenTheClientIsClosed() {
        lock.tryLockAsync(10, 30, SECONDS, 1);
        backend.next("acquire").refused(5_000);
        engine.close();
        assertThat(HeadAsks.of(cell)).isNull();
        backend.runtime.advanceMillis(COMMAND_MILLIS);
    }
}
