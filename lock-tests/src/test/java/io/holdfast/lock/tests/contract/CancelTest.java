package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Futures that end before the call does: it is withdrawn, and a grant that comes all the same is given back. */
class CancelTest extends ServerTest {

    private static final long OWNER = 77;

    /** Ways to end a future from outside. */
    enum Way {
        CANCEL {
            @Override
            void end(CompletableFuture<LockHold> future) {
                assertThat(future.cancel(true)).isTrue();
            }
        },
        TIME_OUT {
            @Override
            void end(CompletableFuture<LockHold> future) {
                future.orTimeout(1, TimeUnit.MILLISECONDS);
                assertThatThrownBy(future::join).hasCauseInstanceOf(TimeoutException.class);
            }
        },
        FAIL {
            @Override
            void end(CompletableFuture<LockHold> future) {
                assertThat(future.completeExceptionally(new IllegalStateException("enough")))
                        .isTrue();
            }
        },
        COMPLETE {
            @Override
            void end(CompletableFuture<LockHold> future) {
                future.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).join();
            }
        };

        abstract void end(CompletableFuture<LockHold> future);
    }

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getLock("cancelled");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void endedWhileItWaitsItLeavesTheQueue(Way way) throws Exception {
        try (LockHold held = lock.acquire()) {
            RFuture<LockHold> waiting = lock.acquireAsync();
            eventually(() -> assertThat(waiters()).isEqualTo(1));
            way.end(waiting.toCompletableFuture());
            eventually(() -> assertThat(waiters()).isZero());
            assertThat(held.fencingToken()).isPositive();
        }
        assertThat(lockKeys()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void endedWhileTheReplyIsAwaitedALateGrantIsGivenBack(Way way) {
        lock.isLocked();
        redis.pause();
        RFuture<LockHold> asking = lock.acquireAsync();
        way.end(asking.toCompletableFuture());
        redis.resume();
        assertThat(lock.tryLock())
                .as("its undo is ahead of whatever comes next")
                .isTrue();
        lock.unlock();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** The grant and the cancellation race: whoever wins, nothing is held that nobody has. */
    @RepeatedTest(100)
    void cancelledWhenJustGrantedItIsEitherHeldOrFree(RepetitionInfo repetition) {
        RFuture<LockHold> future = lock.acquireAsync();
        long cancelAt = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(4L * repetition.getCurrentRepetition());
        while (System.nanoTime() < cancelAt) {
            Thread.onSpinWait();
        }
        if (!future.cancel(false)) {
            Futures.get(future).close();
        }
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** The same with a hand-over inside the client in flight. */
    @RepeatedTest(50)
    void cancelledWhileItIsHandedOverTheLockGoesOnToTheNext() throws Exception {
        LockHold held = lock.acquire();
        RFuture<LockHold> first = lock.acquireAsync();
        RFuture<LockHold> second = lock.acquireAsync();
        eventually(() -> assertThat(waiters()).isEqualTo(2));
        RFuture<Void> release = held.releaseAsync();
        if (!first.cancel(false)) {
            Futures.get(first).close();
        }
        Futures.get(second).close();
        Futures.get(release);
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void cancellingTheThreadStyleCallFreesItsOwner() {
        assertThat(Futures.get(lock.tryLockAsync(OWNER))).isTrue();
        RFuture<Boolean> waiting = lock.tryLockAsync(20, -1, TimeUnit.SECONDS, OWNER + 1);
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        assertThat(waiting.cancel(false)).isTrue();
        assertThat(waiting.isCancelled()).isTrue();
        Futures.get(lock.unlockAsync(OWNER));
        assertThat(lock.isHeldByThread(OWNER + 1)).isFalse();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A re-entry that nobody wants any more lowers the count again. */
    @Test
    void cancellingAReEntryLeavesTheCountAsItWas() {
        Futures.get(lock.lockAsync(OWNER));
        redis.pause();
        RFuture<Void> reentry = lock.lockAsync(OWNER);
        assertThat(reentry.cancel(false)).isTrue();
        redis.resume();
        Futures.get(lock.lockAsync(OWNER));
        eventually(() -> assertThat(raw.list("HVALS", "holdfast:{cancelled}")).contains("2"));
        assertThat(Futures.get(lock.getHoldCountAsync(OWNER))).isEqualTo(2);
        Futures.get(lock.unlockAsync(OWNER));
        Futures.get(lock.unlockAsync(OWNER));
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void aFutureIsItsOwnCompletableFuture() {
        RFuture<Optional<LockHold>> future = lock.tryAcquireAsync(Duration.ZERO);
        assertThat(future.toCompletableFuture()).isSameAs(future);
        Futures.get(future).orElseThrow().close();
    }

    private int waiters() {
        return client.inspect("cancelled").localWaiters();
    }
}
