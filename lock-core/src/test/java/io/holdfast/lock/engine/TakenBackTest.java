package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A request that nobody wants any more, and that was not written yet, is taken back instead of undone (rule 80). */
class TakenBackTest {

    private static final ClientOptions OPTIONS = ClientOptions.builder()
            .commandTimeout(Duration.ofSeconds(1))
            .maxOutage(Duration.ofSeconds(5))
            .build();

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock = EngineClient.over(backend, OPTIONS, "c").getLock("stock");

    @Test
    void theRequestOfACancelledCallIsTakenBack() {
        backend.writes = false;
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        Sent acquire = backend.next("acquire");

        call.cancel(true);

        assertThat(acquire.isTakenBack()).isTrue();
        assertThat(backend.releasedFields()).isEmpty();
        acquire.fault(Fault.Kind.UNREACHABLE, false);
        backend.assertNothingOpen();
    }

    @Test
    void aRequestThatWasWrittenIsUndone() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        Sent acquire = backend.next("acquire");

        call.cancel(true);

        assertThat(acquire.isTakenBack()).isFalse();
        assertThat(backend.releasedFields()).containsExactly(acquire.field());
    }

    @Test
    void aCallWhoseRequestWasNeverWrittenSaysSo() {
        CompletableFuture<Boolean> call =
                lock.tryLockAsync(100, -1, MILLISECONDS, 1).toCompletableFuture();
        backend.next("acquire").refused(10_000);
        backend.writes = false;
        backend.topic().publish();
        backend.next("acquire");

        backend.runtime.advanceMillis(3_000);

        assertFailed(call, LockUnavailableException.class);
        assertThat(backend.releasedFields()).isEmpty();
    }

    @Test
    void anEarlierTryOfTheSameFieldIsUndoneAllTheSame() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        Sent first = backend.next("acquire");
        first.disconnected();
        backend.writes = false;
        backend.runtime.advanceMillis(100);
        Sent again = backend.next("acquire");
        assertThat(again.field()).isEqualTo(first.field());

        call.cancel(true);

        assertThat(again.isTakenBack()).as("the undo goes ahead of it").isTrue();
        assertThat(backend.releasedFields()).containsExactly(first.field());
    }

    @Test
    void aLostRoundIsTakenBackWhereItWasNotWritten() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.node(2).writes = false;
        quorum.lock().tryLockAsync(1);
        quorum.next(0, "propose").refused(10_000);
        quorum.next(1, "propose").refused(10_000);

        assertThat(quorum.next(2, "propose").isTakenBack()).isTrue();
        assertThat(quorum.count("release")).isZero();
    }
}
