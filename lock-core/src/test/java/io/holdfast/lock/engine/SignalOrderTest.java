package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RSignal;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rule 65: a signal is a number that grows, and a call waits for one that is greater than it knows. */
class SignalOrderTest {

    private static final Duration FOR_EVER = Duration.ofDays(365_000);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RSignal signal =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getSignal("prices");

    @Test
    void aNumberThatIsGreaterEndsTheWaitAtOnce() {
        CompletableFuture<OptionalLong> call = waitAfter(7);
        backend.next("signal-look").reply(8L);
        assertThat(now(call)).hasValue(8);
        assertThat(backend.topics).isEmpty();
    }

    @Test
    void theNumberThatIsKnownDoesNot() {
        CompletableFuture<OptionalLong> call = waitAfter(7);
        backend.next("signal-look").reply(7L);
        assertThat(call).isNotDone();
        assertThat(backend.topic().channel).isEqualTo("holdfast:{prices}:signal:free");
        backend.topic().publish();
        backend.next("signal-look").reply(9L);
        assertThat(now(call)).hasValue(9);
    }

    @Test
    void eachCallHasItsOwnNumber() {
        CompletableFuture<OptionalLong> old = waitAfter(7);
        backend.next("signal-look").reply(7L);
        CompletableFuture<OptionalLong> young = waitAfter(8);
        backend.next("signal-look").reply(8L);
        assertThat(now(old)).hasValue(8);
        assertThat(young).isNotDone();
    }

    @Test
    void aWaitThatIsOverIsEmpty() {
        CompletableFuture<OptionalLong> call =
                signal.awaitAsync(7, Duration.ZERO).toCompletableFuture();
        backend.next("signal-look").reply(7L);
        backend.runtime.advanceMillis(1);
        assertThat(now(call)).isEmpty();
    }

    @Test
    void aRepeatedSendIsAnsweredByTheLast() {
        CompletableFuture<Long> call = signal.sendAsync().toCompletableFuture();
        backend.next("signal-send").disconnected();
        backend.runtime.advanceMillis(100);
        backend.next("signal-send").reply(12L);
        assertThat(now(call)).isEqualTo(12);
    }

    @Test
    void aSendWithoutAnAnswerIsUnknown() {
        CompletableFuture<Long> call = signal.sendAsync().toCompletableFuture();
        backend.next("signal-send").overdue();
        assertFailed(call, LockOutcomeUnknownException.class);
    }

    private CompletableFuture<OptionalLong> waitAfter(long number) {
        return signal.awaitAsync(number, FOR_EVER).toCompletableFuture();
    }
}
