package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
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

/** How long releases try that wait behind another step of their hold: their time begins when they are asked for. */
class ReleaseBoundTest {

    private static final long OUTAGE_MILLIS = 5_000;
    private static final long COMMAND_MILLIS = 1_000;
    private static final int LEVELS = 4;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock = EngineClient.over(
                    backend,
                    ClientOptions.defaults().toBuilder()
                            .commandTimeout(Duration.ofMillis(COMMAND_MILLIS))
                            .maxOutage(Duration.ofMillis(OUTAGE_MILLIS))
                            .build(),
                    "c")
            .getLock("stock");

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
    void releasesOfLevelsPutUpWithOneOutageTogether() {
        List<Long> endedMillis = whenTheyEnd(
                releases(LEVELS), LockUnavailableException.class, call -> call.fault(Fault.Kind.BUSY, false));

        assertThat(endedMillis.get(0)).isBetween(OUTAGE_MILLIS - 2_000, OUTAGE_MILLIS);
        assertThat(endedMillis.get(LEVELS - 1)).isLessThanOrEqualTo(OUTAGE_MILLIS + (LEVELS - 1) * COMMAND_MILLIS);
    }

    @Test
    void soDoesTheLastWhichEndsTheHold() {
        List<Long> endedMillis = whenTheyEnd(releases(LEVELS), LockException.class, Sent::disconnected);

        assertThat(backend.releasedFields()).as("the last release was tried").isNotEmpty();
        assertThat(endedMillis.get(LEVELS - 1)).isLessThanOrEqualTo(OUTAGE_MILLIS + (LEVELS - 1) * COMMAND_MILLIS);
    }

    @Test
    void aReleaseWhoseTurnComesLateHasAFullTimeForItsAnswer() {
        CompletableFuture<Void> reentry = lock.lockAsync(120, SECONDS, 1).toCompletableFuture();
        CompletableFuture<Void> release = releases(1).get(0);
        backend.runtime.advanceMillis(OUTAGE_MILLIS - 1);
        backend.next("reenter").done();

        assertThat(reentry).isCompleted();
        Sent late = backend.next("release");
        assertThat(late.millisForAnAnswer()).isEqualTo(COMMAND_MILLIS);
        late.done();
        assertThat(release).isCompleted();
    }

    @Test
    void aReleaseWhoseTurnComesSoonIsTriedForTheRestOfTheOutage() {
        lock.lockAsync(120, SECONDS, 1);
        List<CompletableFuture<Void>> releases = releases(1);
        backend.runtime.advanceMillis(2_000);
        backend.next("reenter").done();

        List<Long> endedMillis =
                whenTheyEnd(releases, LockUnavailableException.class, call -> call.fault(Fault.Kind.BUSY, false));

        assertThat(endedMillis.get(0)).isBetween(OUTAGE_MILLIS - 2_000 - 1_500, OUTAGE_MILLIS - 2_000);
    }

    private List<CompletableFuture<Void>> releases(int number) {
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            asked.add(lock.unlockAsync(1).toCompletableFuture());
        }
        return asked;
    }

    /** Answers every release in the same way until they have all failed, and says after how many milliseconds each did. */
    private List<Long> whenTheyEnd(
            List<CompletableFuture<Void>> releases, Class<? extends Throwable> kind, Consumer<Sent> answer) {
        List<Long> endedMillis = new ArrayList<>();
        for (long millis = 0; endedMillis.size() < releases.size(); millis += 10) {
            backend.open().forEach(answer);
            while (endedMillis.size() < releases.size()
                    && releases.get(endedMillis.size()).isDone()) {
                assertFailed(releases.get(endedMillis.size()), kind);
                endedMillis.add(millis);
            }
            backend.runtime.advanceMillis(10);
        }
        return endedMillis;
    }
}
