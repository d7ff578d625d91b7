package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.multi.MultiLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long a call for several locks takes at most, when every answer takes long: its wait and one command timeout. */
class MultiBoundTest {

    private static final long COMMAND_MILLIS = 1_000;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend,
            ClientOptions.defaults().toBuilder()
                    .commandTimeout(Duration.ofMillis(COMMAND_MILLIS))
                    .build(),
            "c");
    private final RLock all = MultiLocks.of(List.of(client.getLock("a"), client.getLock("b"), client.getLock("c")));

    @Test
    void membersAskedWithinTheWaitHaveAFullCommandTimeout() {
        CompletableFuture<Boolean> call =
                all.tryLockAsync(1_000, -1, MILLISECONDS, 1).toCompletableFuture();
        answerAfter(950);
        Sent second = backend.next("acquire");
        assertThat(second.millisForAnAnswer()).isEqualTo(COMMAND_MILLIS);
        second.granted(7);
        backend.next("acquire").granted(7);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void membersAskedWhenTheWaitIsOverShareOneCommandTimeout() {
        CompletableFuture<Boolean> call =
                all.tryLockAsync(1_000, -1, MILLISECONDS, 1).toCompletableFuture();
        answerAfter(950);
        answerAfter(950);
        Sent third = backend.next("acquire");
        assertThat(third.millisForAnAnswer()).isEqualTo(100);

        backend.runtime.advanceMillis(100);
        third.overdue();

        assertFailed(call, LockOutcomeUnknownException.class);
        assertThat(backend.releasedFields())
                .as("what was taken and what may have been")
                .hasSize(3);
    }

    @Test
    void membersAskedWithoutAWaitShareOneCommandTimeout() {
        all.tryLockAsync(0, -1, MILLISECONDS, 1);
        answerAfter(600);
        assertThat(backend.next("acquire").millisForAnAnswer()).isEqualTo(400);
    }

    private void answerAfter(long millis) {
        Sent asked = backend.next("acquire");
        backend.runtime.advanceMillis(millis);
        asked.granted(7);
    }
}
