package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.ValueTooLongException;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a fenced value asks the server, and what it makes of the answers. */
class StoredValueTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final FencedValue value = client.getFencedValue("stock");

    @Test
    void aWriteBringsItsTokenAndIsToldWhetherItWasTaken() {
        CompletableFuture<Boolean> taken = ask(value.setAsync("41", 7));
        Sent write = backend.next("fenced-set");
        assertThat(write.keys).containsExactly("holdfast:fenced:{stock}");
        assertThat(write.args).containsExactly("7", "41");
        write.reply(1L);

        CompletableFuture<Boolean> refused = ask(value.setAsync("40", 6));
        backend.next("fenced-set").reply(0L);

        assertThat(taken).isCompletedWithValue(true);
        assertThat(refused).isCompletedWithValue(false);
    }

    @Test
    void aLookLeavesNoTraceAndAReadUnderATokenDoes() {
        ask(value.getAsync());
        assertThat(backend.next("fenced-get").args).containsExactly("0", "1048576");
        backend.next("fenced-get").reply("41");

        ask(value.getAsync(7));
        assertThat(backend.next("fenced-get").args).containsExactly("7", "1048576");
    }

    @Test
    void aValueThatWasNeverWrittenIsEmpty() {
        CompletableFuture<Optional<String>> present = ask(value.getAsync());
        backend.next("fenced-get").reply("41");
        CompletableFuture<Optional<String>> absent = ask(value.getAsync());
        backend.next("fenced-get").reply((Object) null);

        assertThat(present).isCompletedWithValue(Optional.of("41"));
        assertThat(absent).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aTokenThatNoLockGivesIsRefusedBeforeAnythingIsSent() {
        for (long token : new long[] {0, -1}) {
            String message = "fencingToken: " + token + " (expected: > 0)";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> value.setAsync("41", token))
                    .withMessage(message);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> value.getAsync(token))
                    .withMessage(message);
        }
        assertThatNullPointerException()
                .isThrownBy(() -> value.setAsync(null, 7))
                .withMessage("value");
        assertThat(backend.sent).isEmpty();
    }

    @Test
    void aWriteWithoutAnAnswerIsUnknownAndALookIsNot() {
        CompletableFuture<Boolean> write = ask(value.setAsync("41", 7));
        CompletableFuture<Optional<String>> look = ask(value.getAsync());

        backend.sent.forEach(Sent::overdue);

        assertFailed(write, LockOutcomeUnknownException.class);
        assertFailed(look, LockUnavailableException.class);
    }

    @Test
    void aWriteIsRepeatedWhenTheConnectionBreaks() {
        CompletableFuture<Boolean> write = ask(value.setAsync("41", 7));
        backend.next("fenced-set").disconnected();
        backend.assertNothingOpen();

        backend.runtime.advanceMillis(30);
        Sent again = backend.next("fenced-set");
        assertThat(again.args).containsExactly("7", "41");
        again.reply(1L);

        assertThat(write).isCompletedWithValue(true);
    }

    @Test
    void anErrorOfTheServerNamesTheValue() {
        CompletableFuture<Boolean> write = ask(value.setAsync("41", 7));

        backend.next("fenced-set").fault(Fault.Kind.OOM, false);

        assertFailed(write, LockServerException.class);
        assertThat(write.handle((taken, failure) -> failure).join()).hasMessageContainingAll("'stock'", "OOM");
    }

    @Test
    void aValueOverTheLimitIsRefusedBeforeAnythingIsSent() {
        String longest = "ü".repeat(FencedValue.MAX_BYTES / 2);
        ask(value.setAsync(longest, 7));
        backend.next("fenced-set").reply(1L);

        assertThatThrownBy(() -> value.setAsync(longest + "x", 7))
                .isInstanceOfSatisfying(ValueTooLongException.class, tooLong -> {
                    assertThat(tooLong.lengthBytes()).isEqualTo(FencedValue.MAX_BYTES + 1);
                    assertThat(tooLong.reason()).isEqualTo(FailureReason.VALUE_TOO_LONG);
                })
                .hasMessageContainingAll("'stock'", "1048577 bytes", "at most 1048576");
        backend.assertNothingOpen();
    }

    @Test
    void aValueThatIsTooLongToTravelIsATypedError() {
        CompletableFuture<Optional<String>> look = ask(value.getAsync());
        backend.next("fenced-get").reply(List.of(9_000_000L));

        assertFailed(look, ValueTooLongException.class);
        assertThat(look.handle((text, failure) -> failure).join())
                .hasMessageContainingAll("'stock'", "9000000 bytes", "at most 1048576");
    }

    @Test
    void aClosedClientSendsNothing() {
        client.close();

        assertFailed(ask(value.setAsync("41", 7)), LockClientClosedException.class);
        backend.assertNothingOpen();
    }

    private static <T> CompletableFuture<T> ask(RFuture<T> question) {
        return question.toCompletableFuture();
    }
}
