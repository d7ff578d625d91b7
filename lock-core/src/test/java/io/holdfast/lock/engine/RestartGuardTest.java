package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.quorum.RestartGuard;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that were restarted and may have forgotten locks stay out of majorities until none can be alive (rule 36). */
class RestartGuardTest {
    private static final long REQUIRED_MILLIS = GuardedFleet.REQUIRED_MILLIS;

    private GuardedFleet fleet;

    @BeforeEach
    void anOldFleet() {
        fleet = new GuardedFleet();
        for (int i = 0; i < 3; i++) {
            fleet.starts(i, -HOURS.toMillis(1));
        }
    }

    // --- old nodes ---

    @Test
    void oldNodesCountBeforeTheirMarkersAreKnown() {
        fleet.connect();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void oldNodesAreMarkedOnceAndForGood() {
        fleet.connect();
        fleet.holdOnceAndRelease();
        fleet.holdOnceAndRelease();

        assertThat(fleet.quorum.count("marked")).isEqualTo(3);
        assertThat(fleet.quorum.count("mark")).isEqualTo(3);
        assertThat(fleet.markers).containsExactly("a1", "b1", "c1");
    }

    @Test
    void aMarkThatFailedIsSetAtTheNextChance() {
        fleet.connect();
        fleet.answerMarkers();
        fleet.tryLock();
        fleet.open(0, "mark").fault(Fault.Kind.OOM, false);

        fleet.grant(0, 1, 2);
        assertThat(fleet.quorum.count("mark"))
                .as("a round does not set it again")
                .isEqualTo(3);
        fleet.advance(1_000);

        fleet.open(0, "mark");
    }

    /** The connection that told the run is gone, and the next one may not tell it. */
    @Test
    void aRunThatIsNotKnownAnyMoreIsNotAskedForItsMarker() {
        fleet.connect();
        fleet.open(2, "marked").disconnected();
        fleet.quorum.node(2).lost();
        fleet.quorum.node(2).run = ServerRun.UNKNOWN;

        fleet.quorum.node(2).reconnected();

        fleet.quorum.node(2).assertNothingOpen();
    }

    @Test
    void aNewFleetCountsWhenANodeThatHangsHadItsTime() {
        fleet.keepsFiles(false);
        fleet.startAll(0);
        fleet.connect();
        Sent hangs = fleet.open(2, "marked");
        fleet.open(0, "marked").reply((Object) null);
        fleet.open(1, "marked").reply((Object) null);

        hangs.overdue();
        fleet.tryLock();

        fleet.assertAsked(0, 1);
    }

    @Test
    void aProbeThatWasNotWrittenIsNotSentAgainAtOnce() {
        fleet.connect();
        fleet.open(2, "marked").disconnected();
        fleet.quorum.node(2).lost();
        fleet.quorum.node(2).unreachable();

        fleet.quorum.node(2).open().forEach(probe -> probe.writtenTo(ServerRun.UNKNOWN)
                .fault(Fault.Kind.WRONGPASS, false));

        fleet.quorum.node(2).assertNothingOpen();
    }

    @Test
    void aNodeThatDoesNotTellItsRunCounts() {
        fleet.quorum.node(0).run = ServerRun.UNKNOWN;
        fleet.connect();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void twoNodesThatAreOneServerCountOnce() {
        fleet.quorum.node(2).run = fleet.quorum.node(0).run;
        fleet.connect();
        fleet.tryLock();

        fleet.assertAsked(0, 1);
    }

    @Test
    void withoutTheGuardEveryNodeCounts() {
        ScriptedQuorum unguarded = new ScriptedQuorum(
                3, QuorumOptions.builder().restartGuard(false).build());
        for (int i = 0; i < 3; i++) {
            unguarded.node(i).run = new ServerRun("run" + i, unguarded.runtime.nanos() - HOURS.toNanos(i));
        }
        unguarded.lock().tryLockAsync(1);

        unguarded.grantAll();
        assertThat(unguarded.count("mark") + unguarded.count("marked")).isZero();
    }

    // --- young nodes among old ones ---

    @Test
    void aYoungNodeIsLeftOutWhileAMajorityIsOlder() {
        fleet.starts(0, 0);
        fleet.connect();
        fleet.answerMarkers();
        CompletableFuture<Boolean> call = fleet.tryLock();
        fleet.assertAsked(1, 2);
        fleet.grant(1);
        fleet.open(2, "propose").fault(Fault.Kind.UNREACHABLE, false);

        assertFailed(call, LockUnavailableException.class);
        assertThatThrownBy(() -> now(call))
                .hasMessageContaining("a: left out after a restart: up for 0 ms (expected: " + REQUIRED_MILLIS + " ms)")
                .hasMessageContaining("b: granted");
    }

    @Test
    void aYoungNodeCountsWhenItIsOldEnough() {
        fleet.starts(0, 0);
        fleet.connect();
        fleet.answerMarkers();
        fleet.advance(REQUIRED_MILLIS - 1);
        fleet.tryLock();
        fleet.assertAsked(1, 2);
        fleet.grant(1, 2);
        fleet.release();

        fleet.advance(1);
        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void theDifferenceOfTheClocksIsWaitedForToo() {
        fleet.starts(0, 0);
        fleet.quorum.node(1).epochMicros += SECONDS.toMicros(60);

        assertNodeAIsOutUntil(REQUIRED_MILLIS + 60_000);
    }

    @Test
    void aClockThatIsADayOffCountsAsTheMarginAtMost() {
        fleet.starts(0, 0);
        fleet.quorum.node(1).epochMicros += DAYS.toMicros(1);

        assertNodeAIsOutUntil(
                REQUIRED_MILLIS + QuorumOptions.defaults().clockMargin().toMillis());
    }

    private void assertNodeAIsOutUntil(long millis) {
        fleet.connect();
        fleet.answerMarkers();
        fleet.tryLock();
        fleet.grant(1, 2);
        fleet.release();
        fleet.advance(millis - 10);
        fleet.tryLock();
        fleet.assertAsked(1, 2);
        fleet.grant(1, 2);
        fleet.release();

        fleet.advance(11);
        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aReconnectToTheSameProcessChangesNothing() {
        fleet.connect();
        fleet.holdOnceAndRelease();
        fleet.quorum.node(0).lost();
        fleet.quorum.node(0).reconnected();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
        assertThat(fleet.quorum.count("marked")).isEqualTo(3);
    }

    @Test
    void aGrantByAnotherProcessThanTheOneAskedIsUndone() {
        fleet.connect();
        fleet.answerMarkers();
        CompletableFuture<Boolean> call = fleet.tryLock();
        fleet.open(0, "propose")
                .writtenTo(new ServerRun("a2", fleet.quorum.runtime.nanos()))
                .granted(TOKEN);
        assertThat(fleet.open(0, "release").field()).startsWith("c:1:");
        fleet.grant(1);
        assertThat(call).as("one grant is no majority").isNotDone();
        fleet.open(2, "propose").fault(Fault.Kind.UNREACHABLE, false);

        assertThatThrownBy(() -> now(call)).hasMessageContaining("a: it was restarted during the request");
    }

    // --- a client that saw the run before ---

    @Test
    void aNodeThatLostItsMarkerIsLeftOutAlsoInAYoungFleet() {
        youngFleetThatWasUsed();
        fleet.restartWithoutData(0);
        Sent marked = fleet.open(0, "marked");
        fleet.tryLock();
        fleet.assertAsked(1, 2);
        marked.reply((Object) null);
        fleet.grant(1, 2);
        fleet.release();

        fleet.tryLock();
        fleet.assertAsked(1, 2);
        fleet.grant(1, 2);
        fleet.release();

        fleet.advance(REQUIRED_MILLIS);
        fleet.tryLock();
        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aMarkerThatSomebodyElseSetAfterTheRestartDoesNotCount() {
        youngFleetThatWasUsed();
        fleet.restartWithoutData(0);
        fleet.markers[0] = "a2";
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void theMarkerOfASnapshotDoesNotCount() {
        fleet.keepsFiles(false);
        youngFleetThatWasUsed();
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void aNodeThatKeptItsMarkerAndAFileCountsInAYoungFleet() {
        youngFleetThatWasUsed();
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aFileThatIsKeptOnlySinceTheRestartDoesNotCount() {
        fleet.keepsFiles(false);
        youngFleetThatWasUsed();
        fleet.keepsFiles(true);
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void aFileThatTheRunBetweenDidNotKeepDoesNotCount() {
        youngFleetThatWasUsed();
        fleet.keepsFiles(false);
        fleet.restartWithData(0);
        fleet.answerMarkers();
        fleet.keepsFiles(true);
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void aMarkerThatWasNeverLearnedVouchesForNothing() {
        fleet.startAll(0);
        fleet.connect();
        fleet.markers[0] = "a1";
        fleet.quorum.open().forEach(Sent::disconnected);
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        assertThat(fleet.asked(0)).isFalse();
    }

    @Test
    void whatForgotOnceIsNotVouchedForByItsNextRun() {
        youngFleetThatWasUsed();
        fleet.restartWithoutData(0);
        fleet.markers[0] = "a2";
        fleet.answerMarkers();
        fleet.restartWithData(0);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void theMarkerIsLookedForUntilTheNodeAnswers() {
        youngFleetThatWasUsed();
        fleet.restartWithData(0);
        fleet.open(0, "marked").fault(Fault.Kind.LOADING, false);
        fleet.advance(500);
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aMarkerThatMayNotBeReadVouchesForNothing() {
        youngFleetThatWasUsed();
        fleet.restartWithData(0);
        fleet.open(0, "marked").fault(Fault.Kind.NOPERM, false);

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    // --- clocks that are set ---

    @Test
    void anUptimeFromBeforeTheRestartIsNotBelieved() {
        youngFleetThatWasUsed();
        fleet.restartWithoutData(0, HOURS.toMillis(1));
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    @Test
    void aRunIsAsOldAsTheEndOfTheRunBeforeLetsItBe() {
        youngFleetThatWasUsed();
        fleet.quorum.node(0).lost();
        fleet.advance(REQUIRED_MILLIS - 20);
        fleet.restartWithoutData(0, HOURS.toMillis(1));
        fleet.answerMarkers();
        fleet.tryLock();
        fleet.assertAsked(1, 2);
        fleet.grant(1, 2);
        fleet.release();

        fleet.advance(20);
        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void anUptimeThatJumpsBetweenTwoConnectionsIsNotBelieved() {
        fleet.starts(0, 0);
        fleet.connect();
        fleet.answerMarkers();
        fleet.tellsUptime(0, HOURS.toMillis(1));

        fleet.tryLock();

        fleet.assertAsked(1, 2);
    }

    // --- a client that comes later ---

    @Test
    void aFleetThatIsYoungAsAWholeIsLetIn() {
        fleet.startAll(0);
        fleet.connect();
        fleet.answerMarkers();

        CompletableFuture<Boolean> call = fleet.tryLock();

        fleet.grant(0, 1, 2);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void youngNodesAreLeftOutWhileOneIsOlder() {
        fleet.starts(0, 0);
        fleet.starts(1, 0);
        fleet.connect();
        fleet.answerMarkers();

        CompletableFuture<Boolean> call = fleet.tryLock();

        fleet.grant(2);
        assertThatThrownBy(() -> now(call))
                .hasMessageContaining("a: left out after a restart that may have lost its data: up for 0 ms");
    }

    @Test
    void youngNodesAreLeftOutWhileOneHasAnEarlierMarker() {
        fleet.keepsFiles(false);
        fleet.startAll(0);
        fleet.markers[2] = "c0";
        fleet.connect();
        fleet.answerMarkers();

        CompletableFuture<Boolean> call = fleet.tryLock();

        assertFailed(call, LockUnavailableException.class);
    }

    @Test
    void theMarkerOfItsOwnRunDoesNotMakeAFleetOld() {
        fleet.startAll(0);
        fleet.markers[0] = "a1";
        fleet.connect();
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void anEarlierMarkerAndAFileVouchForALaterClientToo() {
        fleet.startAll(0);
        fleet.markers[0] = "a0";
        fleet.markers[1] = "1";
        fleet.connect();
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(0, 1);
    }

    @Test
    void aFleetIsNotKnownToBeNewBeforeAllHadTheirSay() {
        fleet.startAll(0);
        fleet.quorum.node(2).connecting();
        fleet.connect();
        fleet.answerMarkers();
        CompletableFuture<Boolean> early = fleet.tryLock();
        assertThat(early).as("waits for word from the last node").isNotDone();
        fleet.advance(50);
        fleet.open(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        assertThatThrownBy(() -> now(early))
                .hasMessageContaining("a: it is not known yet whether the fleet is new: no word from c");

        fleet.quorum.node(2).unreachable();
        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aNodeThatComesLateAndOldEndsTheTrustInANewFleet() {
        fleet.startAll(0);
        fleet.starts(2, -HOURS.toMillis(1));
        fleet.quorum.node(2).connecting();
        fleet.connect();
        fleet.quorum.node(2).unreachable();
        fleet.answerMarkers();
        fleet.tryLock();
        fleet.grant(0, 1);
        fleet.open(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        fleet.release();

        fleet.quorum.node(2).reconnected();
        fleet.answerMarkers();
        fleet.tryLock();

        fleet.assertAsked(2);
    }

    @Test
    void nodesOfOneAgeDoNotThrowEachOtherOutAsTheyGrowOld() {
        fleet.starts(0, -500);
        fleet.starts(1, 0);
        fleet.starts(2, 0);
        fleet.connect();
        fleet.holdOnceAndRelease();
        fleet.advance(REQUIRED_MILLIS - 400);

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    @Test
    void aClientThatComesAsTheFirstNodeGrowsOldIsLetIn() {
        fleet.starts(0, -500);
        fleet.starts(1, 0);
        fleet.starts(2, 0);
        fleet.advance(REQUIRED_MILLIS - 400);
        fleet.connect();
        fleet.answerMarkers();

        fleet.tryLock();

        fleet.assertAsked(0, 1, 2);
    }

    // --- first calls ---

    @Test
    void aFirstRoundWaitsUntilTheMarkersAreKnown() {
        fleet.startAll(0);
        fleet.connect();

        CompletableFuture<Boolean> call = fleet.tryLock();

        assertThat(fleet.asked(0)).isFalse();
        fleet.answerMarkers();
        fleet.grant(0, 1, 2);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aFirstRoundWaitsNoLongerThanTheNodeTimeout() {
        fleet.startAll(0);
        fleet.connect();
        CompletableFuture<Boolean> call = fleet.tryLock();
        fleet.advance(49);
        assertThat(call).isNotDone();

        fleet.advance(1);

        assertThatThrownBy(() -> now(call)).hasMessageContaining("a: what it remembers is not known yet");
    }

    @Test
    void aFirstRoundThatIsCancelledAsItWaitsAsksNobody() {
        fleet.startAll(0);
        fleet.connect();
        fleet.tryLock().cancel(false);

        fleet.answerMarkers();

        fleet.assertAsked();
    }

    @Test
    void aFirstRoundThatWaitsWhenTheClientIsClosedAsksNobody() {
        fleet.startAll(0);
        Engine engine = fleet.connect();
        CompletableFuture<Boolean> call = fleet.tryLock();

        engine.close();
        fleet.answerMarkers();

        assertFailed(call, LockClientClosedException.class);
        fleet.assertAsked();
    }

    @Test
    void aFirstRoundMakesALazyClientConnect() {
        fleet.startAll(0);
        fleet.quorum.nodes.forEach(ScriptedBackend::connecting);
        fleet.connect();
        fleet.quorum.assertNothingOpen();

        fleet.tryLock();

        fleet.quorum.each("marked", Sent::overdue);
    }

    // --- joins ---

    @Test
    void aNodeLetsHoldsJoinWhenItCountsAndRestartsAreSeen() {
        fleet.starts(0, 0);
        fleet.quorum.node(2).run = ServerRun.UNKNOWN;
        Engine engine = fleet.connect();
        fleet.answerMarkers();
        RestartGuard guard = engine.guard();

        assertThat(engine.facts().stores())
                .extracting(store -> guard.letsJoin(store, store.backend().run()))
                .containsExactly(false, true, false);
    }

    private void youngFleetThatWasUsed() {
        fleet.startAll(0);
        fleet.connect();
        fleet.holdOnceAndRelease();
    }
}
