package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.RLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When those look who wait behind a hold of their own client. Most often it is alive, and its end wakes them; but it may
 * have been freed by force elsewhere, and the message lost.
 */
class PollOrderTest {

    private static final long LINGER_MILLIS = 1_100;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");

    @BeforeEach
    void aCallHoldsTheLock() {
        lock.tryLockAsync(0, 60, SECONDS, 1);
        backend.next("acquire").granted(7);
    }

    @Test
    void aNewHeadLooksWhenTheOneBeforeItWouldHave() {
        CompletableFuture<Boolean> first = waiter(2, 3_000);
        backend.runtime.advanceMillis(2_000);
        waiter(3, 60_000);
        backend.runtime.advanceMillis(1_000);
        assertThat(first).isCompletedWithValue(false);

        backend.runtime.advanceMillis(1_499);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1_002);
        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    @Test
    void shortWaitsDoNotPutThePollOffAlsoWithMomentsBetweenThem() {
        for (int i = 0; i < 6; i++) {
            backend.assertNothingOpen();
            waiter(10 + i, 700);
            backend.runtime.advanceMillis(900);
        }
        waiter(20, 700);
        backend.runtime.advanceMillis(150);

        assertThat(backend.open()).hasSize(1);
        backend.next("acquire").granted(8);
    }

    @Test
    void aCallWithoutAWaitDoesNotPutThePollOff() {
        waiter(3, 60_000);
        backend.runtime.advanceMillis(2_000);
        lock.tryLockAsync(4);
        backend.next("acquire").refused(30_000);

        backend.runtime.advanceMillis(3_501);

        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    @Test
    void behindAHoldOfItsOwnClientNoMessageIsMissed() {
        waiter(2, 60_000);
        backend.topic().silence();

        backend.runtime.advanceMillis(4_999);

        backend.assertNothingOpen();
    }

    @Test
    void aPollThatIsRefusedIsWorthAnother() {
        waiter(2, 5_600);
        waiter(3, 60_000);
        backend.runtime.advanceMillis(5_501);
        backend.next("acquire").refused(30_000);
        backend.runtime.advanceMillis(3_400);
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(2_101);

        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    @Test
    void handOversLeaveTheTimerAlone() {
        for (int thread = 2; thread <= 12; thread++) {
            lock.lockAsync(60, SECONDS, thread);
        }
        long before = backend.runtime.timersMade();

        for (int thread = 1; thread <= 10; thread++) {
            lock.unlockAsync(thread);
            backend.next("transfer").granted(7 + thread);
        }

        assertThat(backend.runtime.timersMade()).isEqualTo(before);
        backend.runtime.advanceMillis(5_501);
        assertThat(backend.next("acquire").field()).startsWith("c:12:");
    }

    @Test
    void noTimerIsLeftWhenNobodyWaitsAnyMore() {
        int before = backend.runtime.timers();
        waiter(2, 700);
        waiter(3, 800);
        assertThat(backend.runtime.timers()).isGreaterThan(before);

        backend.runtime.advanceMillis(800 + LINGER_MILLIS);

        assertThat(backend.runtime.timers()).isEqualTo(before);
    }

    private CompletableFuture<Boolean> waiter(long threadId, long waitMillis) {
        return lock.tryLockAsync(waitMillis, -1, MILLISECONDS, threadId).toCompletableFuture();
    }
}
