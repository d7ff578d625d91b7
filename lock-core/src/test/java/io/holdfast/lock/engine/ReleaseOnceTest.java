package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release that has no answer yet is not sent a second time while one may still come on its connection (rule 82). */
class ReleaseOnceTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock = EngineClient.over(
                    backend,
                    ClientOptions.builder()
                            .commandTimeout(Duration.ofSeconds(1))
                            .maxOutage(Duration.ofSeconds(5))
                            .build(),
                    "c")
            .getLock("stock");

    @BeforeEach
    void aThreadHoldsTheLock() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
    }

    private CompletableFuture<Void> unlock() {
        return lock.unlockAsync(1).toCompletableFuture();
    }

    @Test
    void anUnansweredReleaseIsNotSentAgain() {
        CompletableFuture<Void> unlock = unlock();
        Sent release = backend.next("release");

        release.overdue();
        backend.runtime.advanceMillis(10_000);

        assertFailed(unlock, LockOutcomeUnknownException.class);
        assertThat(backend.releasedFields()).hasSize(1);
    }

    @Test
    void aLateAnswerIsTheEndOfIt() {
        unlock();
        Sent release = backend.next("release");
        release.overdue();

        release.done();

        assertThat(backend.releasedFields()).hasSize(1);
    }

    @Test
    void itIsUndoneWhenItsConnectionBreaksAfterAll() {
        unlock();
        Sent release = backend.next("release");
        release.overdue();

        release.disconnected();

        backend.next("release").done();
        assertThat(backend.releasedFields()).hasSize(2).containsOnly(release.field());
    }

    @Test
    void itIsUndoneWhenTheServerRefusesItAfterAll() {
        unlock();
        Sent release = backend.next("release");
        release.overdue();

        release.fault(Fault.Kind.LOADING, false);

        backend.next("release").done();
    }

    @Test
    void anUndoWithoutAnAnswerIsNotSentAgain() {
        CompletableFuture<Void> abandoned = lock.lockAsync(2).toCompletableFuture();
        unlock();
        Sent transfer = backend.next("transfer");
        String field = transfer.args.get(1);
        abandoned.cancel(true);
        transfer.overdue();
        assertThat(backend.releasedFields()).contains(field).doesNotHaveDuplicates();

        backend.open().forEach(Sent::overdue);
        backend.runtime.advanceMillis(60_000);

        assertThat(backend.releasedFields()).doesNotHaveDuplicates();
    }

    @Test
    void aReleaseThatWasNeverWrittenSaysThatItHadNoEffect() {
        CompletableFuture<Void> unlock = unlock();

        for (int tried = 0; !unlock.isDone() && tried < 100; tried++) {
            backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(500);
        }

        assertFailed(unlock, LockUnavailableException.class);
        backend.next("release").done();
        assertThat(now(lock.isHeldByThreadAsync(1).toCompletableFuture())).isFalse();
    }
}
