package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.Interruptible;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a client (rule 38): waiters fail, holds are lost, and nothing lives on but fixed leases. */
class CloseTest extends ServerTest {

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getLock("closing");
    }

    @Test
    void holdsAreLostToldAndReleased() throws Exception {
        LockHold handle = client.getLock("other").acquire();
        List<LockLoss> told = new CopyOnWriteArrayList<>();
        handle.onLost(told::add);
        lock.lock();
        assertThat(lockKeys()).hasSize(2);
        client.close();
        assertThat(lockKeys()).isEmpty();
        eventually(() -> assertThat(told).hasSize(1));
        assertThat(told.get(0).reason()).isEqualTo(LossReason.CLIENT_CLOSED);
        assertThat(handle.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(handle::fencingToken).isInstanceOf(LockLostException.class);
        assertThatThrownBy(handle::release).isInstanceOf(LockLostException.class);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Tag("proof")
    @Test
    void aFixedLeaseKeepsOthersOutUntilItIsOver() throws Exception {
        Duration period = Duration.ofSeconds(2);
        RLock elsewhere = connect().getLock("closing");
        long start = System.nanoTime();
        assertThat(lock.tryLock(0, period.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(elsewhere.tryLock(0, period.toSeconds(), TimeUnit.SECONDS)).isFalse();
        assertThat(elsewhere.tryLock(10, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(period.minusMillis(1));
        elsewhere.unlock();
    }

    @Test
    void waitersFailInEveryForm() throws Exception {
        LockHold held = connect().getLock("closing").acquire();
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        waiting.add(lock.lockAsync(1).toCompletableFuture());
        waiting.add(lock.tryLockAsync(20, -1, TimeUnit.SECONDS, 2).toCompletableFuture());
        waiting.add(lock.acquireAsync().toCompletableFuture());
        waiting.add(CompletableFuture.runAsync(lock::lock, work -> new Thread(work).start()));
        eventually(() -> assertThat(client.inspect("closing").localWaiters()).isEqualTo(4));
        client.close();
        for (CompletableFuture<?> waiter : waiting) {
            assertThatThrownBy(() -> Futures.get(waiter)).isInstanceOf(LockClientClosedException.class);
        }
        assertThat(held.state()).isEqualTo(HoldState.HELD);
        held.close();
    }

    @Test
    void othersGetTheLocksAtOnce() throws Exception {
        lock.lock();
        RFuture<LockHold> waiting = connect().getLock("closing").acquireAsync();
        eventually(() -> assertThat(raw.list("PUBSUB", "CHANNELS")).hasSize(1));
        long start = System.nanoTime();
        client.close();
        Futures.get(waiting).close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void everyCallAfterwardsSaysThatTheClientIsClosed() {
        client.close();
        List<ThrowingCallable> calls = List.of(
                lock::lock,
                lock::tryLock,
                lock::unlock,
                lock::forceUnlock,
                lock::isLocked,
                lock::remainTimeToLive,
                lock::acquire,
                () -> lock.tryLock(1, TimeUnit.SECONDS),
                () -> lock.tryAcquire(Duration.ofSeconds(1)),
                () -> client.inspect("closing"),
                () -> client.runLocked("closing", Duration.ZERO, hold -> {}),
                () -> client.getFencedValue("value").get(),
                () -> client.getLock("new").lock(),
                () -> Futures.get(lock.lockAsync()),
                () -> Futures.get(lock.acquireAsync()),
                () -> Futures.get(lock.unlockAsync()),
                () -> Futures.get(lock.isLockedAsync()),
                () -> Futures.get(lock.forceUnlockAsync()));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(LockClientClosedException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(client.isClosed()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
    }

    @Test
    void closingAgainDoesNothing() {
        client.close();
        assertThatCode(client::close).doesNotThrowAnyException();
    }

    @Test
    void manyThreadsMayCloseAtOnce() {
        lock.lock();
        List<Interruptible> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            closers.add(Interruptible.start(client::close));
        }
        closers.forEach(Interruptible::awaitEnd);
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void aCallbackMayCloseTheClient() {
        RFuture<LockHold> granted = lock.acquireAsync();
        Futures.get(granted.toCompletableFuture().thenRun(client::close));
        eventually(() -> assertThat(lockKeys()).isEmpty());
        eventually(() -> assertThat(ClientThreads.names()).isEmpty());
    }

    @Test
    void aThreadThatServesConnectionsMayCloseTheClient() {
        LockClient onItsThreads =
                connect(ClientOptions.builder().callbackExecutor(Runnable::run).build());
        RLock mine = onItsThreads.getLock("mine");
        mine.acquireAsync().toCompletableFuture().thenRun(onItsThreads::close);
        eventually(() -> assertThat(onItsThreads.isClosed()).isTrue());
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    @Test
    void aServerThatHangsDoesNotHoldUpTheEnd() throws Exception {
        lock.lock();
        LockHold handle = client.getLock("other").acquire();
        redis.pause();
        long start = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        assertThat(handle.state()).isEqualTo(HoldState.LOST);
        redis.resume();
        raw.command("FLUSHALL");
    }

    @Test
    void aServerThatIsGoneDoesNotHoldUpTheEnd() {
        lock.lock();
        redis.kill();
        long start = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }
}
