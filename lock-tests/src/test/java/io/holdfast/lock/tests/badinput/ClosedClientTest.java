package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Calls after {@code close()}. */
@RedisTest
class ClosedClientTest {

    @Test
    void everyCallSaysThatTheClientIsClosed(RedisServer redis, RawRedis raw) throws Exception {
        LockClient client = Clients.connect(redis.url());
        RLock lock = client.getLock("job");
        lock.lock();
        LockHold hold = client.getLock("held").acquire();
        client.close();
        client.close();

        assertThat(client.isClosed()).isTrue();
        assertThat(client.toString()).contains("closed");
        List<ThrowingCallable> calls = List.of(
                () -> lock.lock(),
                () -> lock.lockInterruptibly(),
                () -> lock.tryLock(),
                () -> lock.tryLock(10, TimeUnit.SECONDS),
                () -> lock.acquire(),
                () -> lock.tryAcquire(Duration.ofSeconds(10)),
                () -> lock.unlock(),
                () -> lock.forceUnlock(),
                () -> lock.isLocked(),
                () -> lock.remainTimeToLive(),
                () -> client.inspect("job"),
                () -> client.getLock("another").lock(),
                () -> client.getFencedValue("stock").get(),
                () -> client.runLocked("job", Duration.ofSeconds(1), ran -> {
                    throw new AssertionError("it ran");
                }));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(LockClientClosedException.class, closed -> assertThat(closed.reason())
                            .isEqualTo(FailureReason.CLIENT_CLOSED));
        }
        List<Supplier<RFuture<?>>> futures = List.of(
                lock::lockAsync,
                lock::tryLockAsync,
                lock::unlockAsync,
                lock::acquireAsync,
                lock::isLockedAsync,
                lock::forceUnlockAsync);
        for (Supplier<RFuture<?>> future : futures) {
            assertThatThrownBy(() -> future.get().get(1, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockClientClosedException.class);
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(hold::close, hold::fencingToken, () -> hold.ensure(Duration.ofSeconds(1)))) {
            assertThatThrownBy(call).isInstanceOf(LockLostException.class).hasMessageContaining("CLIENT_CLOSED");
        }
        assertThat(Stored.leftovers(raw)).isEmpty();
        assertThat(raw.clients()).hasSize(1);
    }
}
