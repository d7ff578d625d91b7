package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases that keep their callers for one command timeout, whatever goes before them, and go on without (rule 133). */
class ReleaseBoundTest {

    private static final long OUTAGE_MILLIS = 5_000;
    private static final long COMMAND_MILLIS = 1_000;
    private static final int LEVELS = 4;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend,
            ClientOptions.defaults().toBuilder()
                    .commandTimeout(Duration.ofMillis(COMMAND_MILLIS))
                    .maxOutage(Duration.ofMillis(OUTAGE_MILLIS))
                    .build(),
            "c");
    private final RLock lock = client.getLock("stock");

    @BeforeEach
    void anOwnerEntersSeveralTimes() {
        lock.lockAsync(120, SECONDS, 1);
        backend.next("acquire").granted(7);
        for (int i = 1; i < LEVELS; i++) {
            lock.lockAsync(120, SECONDS, 1);
            backend.next("reenter").done();
        }
    }

    @Test
    void noCallerIsKeptForLongerThanACommandTimeout() {
        List<Long> endedMillis = whenTheyEnd(releases(LEVELS), call -> call.fault(Fault.Kind.BUSY, false));

        assertThat(endedMillis).allMatch(millis -> millis <= COMMAND_MILLIS);
    }

    @Test
    void theLastReleaseGoesOnWithoutItsCaller() {
        List<Long> endedMillis = whenTheyEnd(releases(LEVELS), Sent::disconnected);
        assertThat(endedMillis).allMatch(millis -> millis <= COMMAND_MILLIS);

        // By then its own tries have ended, also if its turn came late.
        play(3 * COMMAND_MILLIS, Sent::disconnected);
        int sent = backend.releasedFields().size();

        play(2 * OUTAGE_MILLIS, Sent::disconnected);

        assertThat(backend.releasedFields())
                .containsOnly(backend.grantedFields().get(0))
                .hasSizeGreaterThan(sent + 2);
        play(2_000, Sent::done);
        backend.assertNothingOpen();
    }

    @Test
    void theCallerOfAHandOverIsKeptNoLonger() {
        releases(LEVELS - 1).forEach(release -> backend.next("release").done());
        lock.lockAsync(2);
        List<CompletableFuture<Void>> last = releases(1);
        backend.next("transfer");

        assertThat(whenTheyEnd(last, Sent::disconnected).get(0)).isLessThanOrEqualTo(COMMAND_MILLIS);
        assertThat(backend.releasedFields()).contains(backend.grantedFields().get(0));
    }

    @Test
    void neitherIsThatOfAReleaseOfAnotherClientsPermit() {
        CompletableFuture<Void> release = client.getPermitExpirableSemaphore("slots")
                .releaseAsync("other:h1:5")
                .toCompletableFuture();

        assertThat(whenTheyEnd(List.of(release), call -> call.fault(Fault.Kind.BUSY, false))
                        .get(0))
                .isLessThanOrEqualTo(COMMAND_MILLIS);

        play(2_000, call -> {});
        assertThat(backend.next("permit-part").field()).isEqualTo("other:h1:5");
    }

    @Test
    void aLevelWhoseCallerHasGoneIsLeftToTheNextRequest() {
        CompletableFuture<Void> reentry = lock.lockAsync(120, SECONDS, 1).toCompletableFuture();
        CompletableFuture<Void> release = releases(1).get(0);
        backend.runtime.advanceMillis(COMMAND_MILLIS);
        assertFailed(release, LockOutcomeUnknownException.class);

        backend.next("reenter").done();

        assertThat(reentry).isCompleted();
        backend.assertNothingOpen();
        assertThat(now(lock.getHoldCountAsync(1).toCompletableFuture())).isEqualTo(LEVELS);
    }

    /** Thousands of releases in a second would leave as many timers, each with an exception that no caller gets. */
    @Test
    void releasesThatAreAnsweredLeaveNoTimers() {
        int before = backend.runtime.timers();
        List<CompletableFuture<Void>> releases = releases(LEVELS);
        client.getPermitExpirableSemaphore("slots").releaseAsync("other:h1:5");
        backend.next("release");

        while (!backend.open().isEmpty()) {
            Sent next = backend.open().get(0);
            if (next.script().equals("permit-part")) {
                next.reply(1L, 0L);
            } else {
                next.done();
            }
        }

        assertThat(releases).allMatch(CompletableFuture::isDone);
        assertThat(backend.runtime.timers()).isLessThanOrEqualTo(before);
    }

    private List<CompletableFuture<Void>> releases(int number) {
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            asked.add(lock.unlockAsync(1).toCompletableFuture());
        }
        return asked;
    }

    /** Answers every call in the same way until the releases have all failed, and says after how many milliseconds each did. */
    private List<Long> whenTheyEnd(List<CompletableFuture<Void>> releases, Consumer<Sent> answer) {
        List<Long> endedMillis = new ArrayList<>();
        for (long millis = 0; endedMillis.size() < releases.size(); millis += 10) {
            assertThat(millis).isLessThan(2 * OUTAGE_MILLIS);
            while (endedMillis.size() < releases.size()
                    && releases.get(endedMillis.size()).isDone()) {
                assertFailed(releases.get(endedMillis.size()), LockException.class);
                endedMillis.add(millis);
            }
            play(10, answer);
        }
        return endedMillis;
    }

    private void play(long millis, Consumer<Sent> answer) {
        for (long played = 0; played < millis; played += 10) {
            backend.open().forEach(answer);
            backend.runtime.advanceMillis(10);
        }
    }
}
