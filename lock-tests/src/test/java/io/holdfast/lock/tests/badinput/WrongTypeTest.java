package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The key at the lock's name holds something that is not a lock. */
@RedisTest
class WrongTypeTest {

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connect(RedisServer redis) {
        client = Clients.connect(redis.url());
        lock = client.getLock("job");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void everyOperationSaysSoAtOnceAndTheKeyStays(RawRedis raw) {
        raw.command("SET", Stored.key("job"), "precious");
        List<ThrowingCallable> calls = List.of(
                () -> lock.lock(),
                () -> lock.lockInterruptibly(),
                () -> lock.tryLock(),
                () -> lock.tryLock(10, TimeUnit.SECONDS),
                () -> lock.acquire(),
                () -> lock.tryAcquire(Duration.ofSeconds(10)),
                () -> lock.isLocked(),
                () -> lock.remainTimeToLive(),
                () -> lock.forceUnlock(),
                () -> client.inspect("job"));
        for (ThrowingCallable call : calls) {
            long startNanos = System.nanoTime();
            assertThatThrownBy(call).isInstanceOfSatisfying(LockServerException.class, wrong -> {
                assertThat(wrong.reason()).isEqualTo(FailureReason.WRONGTYPE);
                assertThat(wrong.name()).hasValue("job");
                assertThat(wrong).hasMessageContaining(Stored.key("job") + " is a string");
            });
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Clients.COMMAND_TIMEOUT);
        }
        assertThat(raw.text("GET", Stored.key("job"))).isEqualTo("precious");
        assertThat(Stored.leftovers(raw)).containsExactly(Stored.key("job"));
    }

    @Test
    void theFuturesSaySoToo(RawRedis raw) {
        raw.command("SET", Stored.key("job"), "precious");
        for (var future : List.of(
                lock.lockAsync(),
                lock.tryLockAsync(),
                lock.acquireAsync(),
                lock.isLockedAsync(),
                lock.forceUnlockAsync())) {
            assertThatThrownBy(() -> future.get(2, TimeUnit.SECONDS)).hasCauseInstanceOf(LockServerException.class);
        }
    }

    @Test
    void aHoldWhoseKeyWasOverwrittenIsNotReleasedOverIt(RawRedis raw) throws Exception {
        LockHold hold = lock.acquire();
        raw.command("SET", Stored.key("job"), "precious");

        assertThatThrownBy(hold::close).isInstanceOfAny(LockServerException.class, LockLostException.class);
        assertThat(raw.text("GET", Stored.key("job"))).isEqualTo("precious");
    }

    @Test
    void aFencedValueWhoseKeyHoldsSomethingElse(RawRedis raw) {
        raw.command("SET", "holdfast:fenced:{stock}", "precious");
        assertThatThrownBy(() -> client.getFencedValue("stock").set("1", 1))
                .isInstanceOfSatisfying(LockServerException.class, wrong -> assertThat(wrong.reason())
                        .isEqualTo(FailureReason.WRONGTYPE));
        assertThatThrownBy(() -> client.getFencedValue("stock").get()).isInstanceOf(LockServerException.class);
        assertThatThrownBy(() -> client.getFencedValue("stock").set("1", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fencingToken: 0");
    }
}
