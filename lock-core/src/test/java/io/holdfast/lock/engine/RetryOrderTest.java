package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a call that has met a fault asks again: at its deadline, as a node comes back, and when a quarantine ends. */
class RetryOrderTest {

    private static final long STEP_MILLIS = 10;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");
    private final GuardedFleet fleet = new GuardedFleet();

    @Test
    void aWaitHasALastTryAtItsDeadline() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(12, -1, SECONDS, 1).toCompletableFuture();
        failFor(11_990);
        assertThat(call).isNotDone();

        backend.runtime.advanceMillis(10);

        backend.next("acquire").granted(TOKEN);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aLastTryThatFailsEndsTheCall() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(12, -1, SECONDS, 1).toCompletableFuture();

        failFor(12_010);

        assertThat(call).isCompletedExceptionally();
        backend.assertNothingOpen();
    }

    @Test
    void aNodeThatIsBackIsAskedAtOnce() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        failFor(10_000);
        backend.assertNothingOpen();

        backend.reconnected();

        backend.next("acquire").granted(TOKEN);
        assertThat(call).isCompleted();
        backend.runtime.advanceMillis(5_000);
        backend.assertNothingOpen();
    }

    @Test
    void aMajorityThatIsBackIsAskedAtOnce() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        CompletableFuture<Void> call = quorum.lock().lockAsync(1).toCompletableFuture();
        failAtAMajority(quorum, 10_000);
        quorum.assertNothingOpen();

        quorum.node(1).reconnected();

        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").granted(TOKEN);
        assertThat(call).isCompleted();
    }

    @Test
    void aMajorityIsAskedAtOnceWhenItIsKnownWhatTheNodeRemembers() {
        fleet.startAll(0);
        fleet.connect();
        fleet.holdOnceAndRelease();
        CompletableFuture<Void> call = fleet.lock();
        failAtAMajority(fleet.quorum, 10_000);
        fleet.restartWithData(1);
        assertThat(fleet.asked(1)).as("what it remembers is not known yet").isFalse();
        failAtAMajority(fleet.quorum, 0);

        fleet.answerMarkers();

        fleet.grant(0, 1);
        assertThat(call).isCompleted();
    }

    /** Time passes, and all but the first node do not answer; what is asked about markers stays open. */
    private static void failAtAMajority(ScriptedQuorum quorum, long millis) {
        for (long passed = 0; passed <= millis; passed += STEP_MILLIS) {
            for (int node = 0; node < 3; node++) {
                for (Sent sent : quorum.node(node).open()) {
                    if (sent.script().equals("propose") && node == 0) {
                        sent.granted(TOKEN);
                    } else if (sent.script().equals("propose")) {
                        sent.fault(Fault.Kind.UNREACHABLE, false);
                    } else if (!sent.script().startsWith("mark")) {
                        sent.done();
                    }
                }
            }
            quorum.runtime.advanceMillis(passed < millis ? STEP_MILLIS : 0);
        }
    }

    @Test
    void aCallThatHasLeftDoesNotAskWhenTheNodeIsBack() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        failFor(5_000);
        call.cancel(false);

        backend.reconnected();

        backend.assertNothingOpen();
    }

    @Test
    void aCallWithoutALimitOutlastsAQuarantine() {
        twoOfThreeRestartWithoutData();
        CompletableFuture<Void> call = fleet.lock();
        long millis = 0;
        for (; !call.isDone() && millis < 60_000; millis += STEP_MILLIS) {
            answerFleet();
            fleet.advance(STEP_MILLIS);
        }

        assertThat(call).isCompleted();
        assertThat(millis).isLessThanOrEqualTo(GuardedFleet.REQUIRED_MILLIS + 5 * STEP_MILLIS);
    }

    @Test
    void anOutageThatFollowsAQuarantineCountsFromItsEnd() {
        twoOfThreeRestartWithoutData();
        CompletableFuture<Void> call = fleet.lock();
        for (long millis = 0; millis < 20_000; millis += STEP_MILLIS) {
            answerFleet();
            fleet.advance(STEP_MILLIS);
        }
        long millis = 0;
        for (; !call.isDone() && millis < 120_000; millis += STEP_MILLIS) {
            fleet.answerMarkers();
            fleet.quorum.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            fleet.advance(STEP_MILLIS);
        }

        assertThat(call).isCompletedExceptionally();
        assertThat(millis).isBetween(11_000L + 30_000 - 2_000, 11_500L + 30_000 + 3_000);
    }

    private void twoOfThreeRestartWithoutData() {
        fleet.startAll(0);
        fleet.connect();
        fleet.holdOnceAndRelease();
        fleet.restartWithoutData(0);
        fleet.restartWithoutData(1);
    }

    private void answerFleet() {
        fleet.answerMarkers();
        for (Sent sent : fleet.quorum.open()) {
            if (sent.script().equals("propose")) {
                sent.granted(TOKEN);
            } else {
                sent.done();
            }
        }
    }

    /** Time passes, and no request reaches the server. */
    private void failFor(long millis) {
        for (long passed = 0; passed < millis; passed += STEP_MILLIS) {
            backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(STEP_MILLIS);
        }
        backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
    }
}
