package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is sent for the limit of a semaphore and for permits of other clients, and what is told when an answer is lost (rules 55, 56). */
class PermitStepsTest {

    private static final String ID = "other:h1:1";

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RPermitExpirableSemaphore slots =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getPermitExpirableSemaphore("slots");

    // --- the limit ---

    @Test
    void aSetNamesTheVersionThatItHasSeenUntilItIsTheLimits() {
        CompletableFuture<Void> set = slots.setPermitsAsync(5).toCompletableFuture();
        Sent first = limitAt(3);
        first.reply(0L, 9L, 4L);
        Sent second = backend.next("permit-limit");
        assertThat(second.args.subList(0, 3)).containsExactly("4", "5", first.args.get(2));
        second.reply(1L, 5L, 5L);
        assertThat(set).isCompleted();
    }

    /** What another call has set since is newer: it stays, and the caller is told that it can't be known what became of its own. */
    @Test
    void aSetThatComesLateChangesNothing() {
        CompletableFuture<Void> set = slots.setPermitsAsync(5).toCompletableFuture();
        limitAt(3).disconnected();
        backend.runtime.advanceMillis(1_000);
        Sent copy = backend.next("permit-limit");
        assertThat(copy.args.get(0)).isEqualTo("3");
        copy.reply(0L, 9L, 5L);
        backend.assertNothingOpen();
        assertInDoubt(set, "the limit was changed by another call");
    }

    /** Each process calls it at its start: a connection that breaks then is no reason for doubt. */
    @Test
    void aRepeatedCallKnowsThatAnotherHasSetTheFirstLimit() {
        CompletableFuture<Boolean> set = slots.trySetPermitsAsync(5).toCompletableFuture();
        backend.next("permit-limit").disconnected();
        backend.runtime.advanceMillis(1_000);
        backend.next("permit-limit").reply(0L, 9L, 1L);
        assertThat(set).isCompletedWithValue(false);
    }

    @Test
    void aRepeatedCallIsInDoubtOnceALimitWasChanged() {
        CompletableFuture<Boolean> set = slots.trySetPermitsAsync(5).toCompletableFuture();
        backend.next("permit-limit").disconnected();
        backend.runtime.advanceMillis(1_000);
        backend.next("permit-limit").reply(0L, 9L, 2L);
        assertInDoubt(set, "the limit was changed by another call");
    }

    /** The change of a limit, of which this version was seen. */
    private Sent limitAt(long version) {
        backend.next("permit-look").reply(7L, 0L, version);
        Sent change = backend.next("permit-limit");
        assertThat(change.args.subList(0, 2)).containsExactly(Long.toString(version), "5");
        return change;
    }

    // --- permits of other clients ---

    @Test
    void tryReleaseWithoutAnAnswerIsNeitherTrueNorFalse() {
        CompletableFuture<Boolean> released = slots.tryReleaseAsync(ID).toCompletableFuture();
        while (!released.isDone()) {
            backend.open().forEach(Sent::disconnected);
            backend.runtime.advanceMillis(1_000);
        }
        assertInDoubt(released, "semaphore 'slots'");
    }

    /** The copy that was lost may have released it; or the lease had run out before. */
    @Test
    void tryReleaseWhoseAnswerWasLostAndThatFindsNothingIsInDoubt() {
        CompletableFuture<Boolean> released = slots.tryReleaseAsync(ID).toCompletableFuture();
        backend.next("permit-part").disconnected();
        backend.runtime.advanceMillis(100);
        backend.next("permit-part").gone();
        assertInDoubt(released, "permit " + ID + " is not taken, and an answer to this call was lost");
    }

    @Test
    void tryReleaseThatIsRepeatedAndFindsThePermitReleasesIt() {
        CompletableFuture<Boolean> released = slots.tryReleaseAsync(ID).toCompletableFuture();
        backend.next("permit-part").disconnected();
        backend.runtime.advanceMillis(100);
        backend.next("permit-part").reply(1L, 0L);
        assertThat(released).isCompletedWithValue(true);
    }

    private static void assertInDoubt(CompletableFuture<?> call, String detail) {
        assertThat(call).isDone();
        assertThatThrownBy(call::join)
                .cause()
                .isInstanceOf(LockOutcomeUnknownException.class)
                .hasMessageContaining(detail)
                .satisfies(told -> assertThat(((LockOutcomeUnknownException) told).reason())
                        .isIn(FailureReason.NO_ANSWER, FailureReason.DISCONNECTED));
    }
}
