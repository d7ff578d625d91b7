package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client's word says of its distance, and when it is taken back (rules 125 and 127). */
class WordTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    @BeforeEach
    void askForWord() {
        backend.asksForWord = true;
    }

    // --- the distance ---

    @Test
    void theFirstWordForALockSaysHowFarTheClientIs() {
        for (int i = 0; i < 6; i++) {
            client.getLock("other").tryLockAsync(9);
            backend.runtime.advanceMillis(100);
            backend.next("acquire").refused(5_000);
        }

        assertThat(wordOf(waiter(1, 60_000))).isEqualTo("****");
    }

    @Test
    void theEndOfATurnSaysItToo() {
        for (int i = 0; i < 5; i++) {
            client.getLock("other").tryLockAsync(9);
            backend.runtime.advanceMillis(100);
            backend.next("acquire").refused(5_000);
        }
        lock.tryLockAsync(1);
        backend.runtime.advanceMillis(100);
        backend.next("acquire").granted(7);
        waiter(2, 60_000);
        backend.runtime.jumpMillis(501);

        lock.unlockAsync(1);

        assertThat(backend.next("release").args).endsWith("****");
    }

    @Test
    void theFirstAnswerMakesNoClientFar() {
        client.getLock("other").tryLockAsync(9);
        backend.runtime.advanceMillis(900);
        backend.next("acquire").granted(7);

        assertThat(wordOf(waiter(1, 60_000))).isEqualTo("1");
    }

    /** How long it takes to find out that a server is gone is no distance. */
    @Test
    void faultsMakeNoClientFar() {
        for (int i = 0; i < 6; i++) {
            client.getLock("other").tryLockAsync(9);
            backend.runtime.advanceMillis(100);
            backend.next("acquire").fault(Fault.Kind.DISCONNECTED, false);
        }

        assertThat(wordOf(waiter(1, 60_000))).isEqualTo("1");
    }

    @Test
    void oneSlowAnswerMakesNoClientFar() {
        client.getLock("other").tryLockAsync(9);
        backend.runtime.advanceMillis(1);
        backend.next("acquire").refused(5_000);
        client.getLock("other").tryLockAsync(9);
        backend.runtime.advanceMillis(900);
        backend.next("acquire").granted(7);

        assertThat(wordOf(waiter(1, 60_000))).isEqualTo("1");
    }

    @Test
    void aClientThatIsNamedByItsWholeWordAsksAtOnce() {
        waiter(1, 60_000);
        backend.next("acquire").refused(5_000);
        backend.topic().confirm();
        backend.next("acquire").refused(5_000);

        backend.topic().publish("next c***");

        backend.next("acquire");
    }

    private String wordOf(CompletableFuture<Boolean> waiting) {
        assertThat(waiting).isNotDone();
        return backend.next("acquire").args.get(3);
    }

    // --- taken back ---

    @Test
    void theLastCallThatGivesUpTakesTheWordBack() {
        CompletableFuture<Boolean> first = waiter(1, 100);
        waiter(2, 200);
        backend.next("acquire").refused(5_000);
        backend.runtime.advanceMillis(100);
        assertThat(now(first)).isFalse();
        backend.next("acquire").refused(5_000);

        backend.runtime.advanceMillis(100);

        Sent back = backend.next("give-up");
        assertThat(back.keys).containsExactly("holdfast:{stock}", "holdfast:{stock}:turns", "holdfast:{stock}:queue");
        assertThat(back.args).containsExactly("c:", "holdfast:{stock}:free");
    }

    @Test
    void aCallThatIsGrantedTheLockHasNoWordToTakeBack() {
        waiter(1, 60_000);
        backend.next("acquire").refused(5_000);
        backend.topic().confirm();
        backend.next("acquire").granted(7);

        lock.unlockAsync(1);

        backend.next("release").reply(1L, 0L);
        backend.assertNothingOpen();
    }

    @Test
    void aCallThatMayHaveBeenRefusedTakesItsWordBackBehindItsUndo() {
        waiter(1, 60_000).cancel(false);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("acquire", "release", "give-up");
    }

    @Test
    void aCallThatGivesUpWhileTheTurnEndsForItTakesTheWordBackToo() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        CompletableFuture<Boolean> waiting = waiter(2, 60_000);
        backend.runtime.jumpMillis(501);
        lock.unlockAsync(1);
        Sent release = backend.next("release");
        waiting.cancel(false);

        release.reply(2L, 0L);

        backend.next("give-up");
    }

    /** The lock would be reserved there for a client that does not want it any more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wordThatANodeKeepsBesideAGrantOfTheOthersIsTakenBack(boolean isLate) {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.nodes.forEach(node -> node.asksForWord = true);
        quorum.lock().tryLockAsync(60_000, -1, MILLISECONDS, 1);
        Sent third = quorum.next(2, "propose");
        if (!isLate) {
            third.refused(5_000);
        }
        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        quorum.next(1, "propose").granted(ScriptedQuorum.TOKEN);
        if (isLate) {
            third.refused(5_000);
        }

        quorum.next(2, "give-up");
    }

    @Test
    void whileOthersOfTheClientWaitItIsKept() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.nodes.forEach(node -> node.asksForWord = true);
        RLock shared = quorum.lock();
        shared.tryLockAsync(60_000, -1, MILLISECONDS, 1);
        CompletableFuture<Boolean> second =
                shared.tryLockAsync(60_000, -1, MILLISECONDS, 2).toCompletableFuture();
        Sent third = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        quorum.next(1, "propose").granted(ScriptedQuorum.TOKEN);
        third.refused(5_000);
        quorum.assertNothingOpen();

        second.cancel(false);

        quorum.next(2, "give-up");
    }

    /** The refusal comes when the call has long ended, and word is the client's. */
    @Test
    void whileCallsWaitThatCameLaterItIsKept() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.nodes.forEach(node -> node.asksForWord = true);
        RLock shared = quorum.lock();
        shared.tryLockAsync(60_000, -1, MILLISECONDS, 1);
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        quorum.next(1, "propose").granted(ScriptedQuorum.TOKEN);
        shared.unlockAsync(1);
        quorum.next(0, "release").done();
        quorum.next(1, "release").done();
        shared.tryLockAsync(60_000, -1, MILLISECONDS, 2);
        quorum.next(0, "propose").refused(5_000);

        late.refused(5_000);

        assertThat(quorum.node(2).open()).extracting(Sent::script).doesNotContain("give-up");
    }

    // --- the right to leave word ---

    @Test
    void aServerThatRefusedTheKeyOfTheTurnsIsAskedAgainAfterAMinute() {
        lock.tryLockAsync(1);
        backend.next("acquire").fault(Fault.Kind.NOPERM, false);
        backend.next("acquire").refused(5_000);
        lock.tryLockAsync(1);
        assertThat(backend.next("acquire").keys).doesNotContain("holdfast:{stock}:turns");
        backend.next("acquire").refused(5_000);

        backend.runtime.jumpMillis(SECONDS.toMillis(60));

        lock.tryLockAsync(1);
        assertThat(backend.next("acquire").keys).contains("holdfast:{stock}:turns");
    }

    private CompletableFuture<Boolean> waiter(long threadId, long millis) {
        return lock.tryLockAsync(millis, -1, MILLISECONDS, threadId).toCompletableFuture();
    }
}
