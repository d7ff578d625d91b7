package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.ServerRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Why a hold is gone: a hold that another process at another place does not know was lost by a failover; one that was gone
 * at the same place, or in the same process, was removed or forgotten there.
 */
class FailedOverTest {

    private static final ServerRun FIRST = run("first", "10.0.0.1:6379");

    /** What the client is connected to when the hold is found to be missing, and why that is. */
    private enum Then {
        ANOTHER_PROCESS_AT_ANOTHER_PLACE("second", "10.0.0.2:6379", LossReason.FAILED_OVER),
        ANOTHER_PROCESS_AT_THE_SAME_PLACE("second", "10.0.0.1:6379", LossReason.KEY_GONE),
        THE_SAME_PROCESS_AT_THE_SAME_PLACE("first", "10.0.0.1:6379", LossReason.KEY_GONE),
        THE_SAME_PROCESS_AT_ANOTHER_PLACE("first", "10.0.0.2:6379", LossReason.KEY_GONE),
        AN_UNKNOWN_PROCESS("", "10.0.0.2:6379", LossReason.KEY_GONE),
        ANOTHER_PROCESS_AT_NO_PLACE("second", "", LossReason.KEY_GONE);

        private final ServerRun run;
        private final LossReason reason;

        Then(String id, String place, LossReason reason) {
            this.run = run(id, place);
            this.reason = reason;
        }
    }

    private final ScriptedBackend backend = new ScriptedBackend();
    private final List<LockLoss> losses = new ArrayList<>();
    private final LockClient client;
    private final RLock lock;

    FailedOverTest() {
        backend.run = FIRST;
        client = EngineClient.over(backend, ClientOptions.defaults(), "c");
        lock = client.getLock("stock");
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void aRenewalThatFindsNothing(Then then) {
        LockHold hold = handle();
        moveTo(then);
        backend.next("renew").gone();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertLost(losses.get(0), then);
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void aReleaseThatFindsNothing(Then then) {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        moveTo(then);
        backend.next("renew").disconnected();
        CompletableFuture<Void> release = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").gone();
        assertLost(release, then);
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void aReentryThatFindsNothing(Then then) {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        moveTo(then);
        backend.next("renew").disconnected();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        backend.next("reenter").gone();
        assertLost(again, then);
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void anExtensionThatFindsNothing(Then then) {
        LockHold hold = handle();
        moveTo(then);
        backend.next("renew").disconnected();
        CompletableFuture<?> extension = hold.extendAsync(Duration.ofMinutes(1)).toCompletableFuture();
        backend.open().get(0).gone();
        assertLost(extension, then);
        assertLost(losses.get(0), then);
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void aGrantToAnotherOwner(Then then) {
        LockHold hold = handle();
        lock.tryLockAsync(60, -1, SECONDS, 2);
        moveTo(then);
        backend.next("renew").disconnected();
        backend.topic().publish();
        backend.next("acquire").granted(8);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses.get(0).detail()).contains("granted the lock once more");
        assertLost(losses.get(0), then);
    }

    /** What counts is which process has confirmed the hold last, not where it began. */
    @ParameterizedTest
    @FieldSource("CONFIRMATIONS")
    void aHoldThatTheNewServerHasConfirmedIsNotLostByTheFailover(Function<FailedOverTest, Sent> confirmation) {
        LockHold hold = handle();
        moveTo(Then.ANOTHER_PROCESS_AT_ANOTHER_PLACE);
        backend.next("renew").done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        confirmation.apply(this).gone();
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.KEY_GONE);
    }

    static final List<Function<FailedOverTest, Sent>> CONFIRMATIONS = List.of(
            test -> {
                test.backend.reconnected();
                return test.backend.next("renew");
            },
            test -> {
                test.backend.runtime.advanceMillis(10_000);
                return test.backend.next("renew");
            });

    private LockHold handle() {
        CompletableFuture<LockHold> handle = lock.acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        return handle.join().onLost(losses::add);
    }

    private void moveTo(Then then) {
        backend.lost();
        backend.run = then.run;
        backend.reconnected();
    }

    private static void assertLost(LockLoss loss, Then then) {
        assertLost(loss.reason(), loss.detail(), then);
    }

    private static void assertLost(CompletableFuture<?> call, Then then) {
        CompletionException failure = assertThrows(CompletionException.class, call::join);
        LockLostException lost = (LockLostException) failure.getCause();
        assertLost(lost.lossReason(), lost.getMessage(), then);
    }

    private static void assertLost(LossReason reason, String words, Then then) {
        assertThat(reason).isEqualTo(then.reason);
        if (then.reason == LossReason.FAILED_OVER) {
            assertThat(words).contains("10.0.0.2:6379 has taken the place of 10.0.0.1:6379");
        } else {
            assertThat(words).doesNotContain("has taken the place");
        }
    }

    private static ServerRun run(String id, String place) {
        return new ServerRun(id, 0, false, place);
    }
}
