package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The levels of a hold that is entered again, with answers that get lost. */
class LevelOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    @Test
    void aReentryThatIsSentAgainAsksForTheSameCount() {
        lock.lockAsync(1);
        backend.next("acquire").granted(1);
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        assertThat(backend.next("reenter").args.get(1)).isEqualTo("2");
        backend.next("reenter").disconnected();

        backend.runtime.advanceMillis(50);

        assertThat(backend.next("reenter").args.get(1)).isEqualTo("2");
        backend.next("reenter").done();
        assertThat(again).isCompletedWithValue(true);
    }

    @Test
    void whenTheLastWatchedLevelGoesRenewalStops() {
        lock.lockAsync(30, SECONDS, 1);
        backend.next("acquire").granted(1);
        lock.lockAsync(1);
        backend.next("reenter").done();
        lock.unlockAsync(1);
        backend.next("release").done();

        backend.runtime.advanceMillis(25_000);

        backend.assertNothingOpen();
        assertThat(lock.isHeldByThread(1)).isTrue();
        backend.runtime.advanceMillis(5_000);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void aTryBehindACancelledReentryEndsWithinACommandTimeout() {
        CompletableFuture<Boolean> again = behindACancelledReentry();

        backend.runtime.advanceMillis(999);
        assertThat(again).isNotDone();
        backend.runtime.advanceMillis(1);

        assertFailed(again, LockUnavailableException.class);
        backend.next("reenter").done();
        assertThat(backend.next("release").args.get(1))
                .as("the cancelled level is given back, and nothing else was asked for")
                .isEqualTo("1");
        assertThat(backend.open()).hasSize(1);
    }

    @Test
    void aTryWhoseTurnComesLateHasWhatIsLeftOfItsBound() {
        behindACancelledReentry();
        backend.runtime.advanceMillis(900);
        backend.next("reenter").done();
        backend.next("release").done();

        Sent reentry = backend.next("reenter");
        assertThat(reentry.args.get(1)).isEqualTo("2");
        assertThat(reentry.millisForAnAnswer()).isBetween(99L, 100L);
    }

    @Test
    void anExtensionBehindAnUnansweredOneEndsWithinACommandTimeout() {
        LockHold hold = handle();
        hold.extendAsync(Duration.ofMinutes(1));
        CompletableFuture<Void> second = hold.extendAsync(Duration.ofMinutes(2)).toCompletableFuture();

        backend.runtime.advanceMillis(1_000);

        assertFailed(second, LockUnavailableException.class);
        backend.next("renew").done();
        backend.assertNothingOpen();
    }

    @Test
    void aSecondReleaseIsNotOverBeforeTheFirstIsSent() {
        LockHold hold = handle();
        hold.extendAsync(Duration.ofMinutes(1));
        hold.releaseAsync();
        CompletableFuture<Void> second = hold.releaseAsync().toCompletableFuture();

        assertThat(second).isNotDone();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        backend.next("renew").done();

        assertThat(second).isCompleted();
        backend.next("release").done();
        backend.assertNothingOpen();
    }

    @Test
    void aLoweringThatIsGivenUpHasDroppedItsLevelHere() {
        lock.lockAsync(1);
        backend.next("acquire").granted(1);
        for (String count : List.of("2", "3")) {
            lock.lockAsync(1);
            assertThat(backend.next("reenter").args.get(1)).isEqualTo(count);
            backend.next("reenter").done();
        }
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").fault(Fault.Kind.OOM, false);

        assertThat(release).isCompletedExceptionally();
        lock.unlockAsync(1);
        assertThat(backend.next("release").args.get(1))
                .as("the next operation carries the count")
                .isEqualTo("1");
    }

    private LockHold handle() {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(1);
        return now(call);
    }

    private CompletableFuture<Boolean> behindACancelledReentry() {
        lock.lockAsync(1);
        backend.next("acquire").granted(1);
        CompletableFuture<Void> cancelled = lock.lockAsync(1).toCompletableFuture();
        backend.next("reenter");
        cancelled.cancel(false);
        return lock.tryLockAsync(1).toCompletableFuture();
    }
}
