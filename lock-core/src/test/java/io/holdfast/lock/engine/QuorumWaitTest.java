package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a call waits for when it did not get a majority: the holder's end, or its turn among those who collided. */
class QuorumWaitTest {
    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();

    @Test
    void behindOneHolderItWaitsUntilAMajorityIsFreeByExpiry() {
        waiterThatListens(1);
        quorum.next(0, "propose").refused(300, "x:1:1");
        quorum.next(1, "propose").refused(500, "x:1:1");
        quorum.next(2, "propose").refused(700, "x:1:1");
        quorum.next(2, "release").gone();

        quorum.runtime.advanceMillis(500);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(3);
        quorum.each("propose", Sent::toString);
    }

    @Test
    void behindOneHolderMessagesOfAMajorityAreHeardAtOnce() {
        waiter(1);
        refuseAll();
        ring(0);
        quorum.assertNothingOpen();

        ring(2);

        quorum.each("propose", Sent::toString);
    }

    @Test
    void aMessageOfAMinorityIsHeardALittleLater() {
        waiter(1);
        refuseAll();
        ring(1);
        ring(1);

        quorum.runtime.advanceMillis(9);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(2);

        quorum.each("propose", Sent::toString);
    }

    @Test
    void aConfirmationByAMajorityMakesTheHeadLookAgain() {
        waiter(1);
        refuseAll();
        quorum.node(0).topic().confirm();
        quorum.assertNothingOpen();

        quorum.node(1).topic().confirm();

        quorum.each("propose", Sent::toString);
    }

    @Test
    void whenAMajorityIsSilentTheHeadLooksSoon() {
        waiterThatListens(1);
        refuseAll();
        quorum.runtime.advanceMillis(1_000);
        quorum.assertNothingOpen();

        quorum.node(0).topic().silence();
        quorum.runtime.advanceMillis(250);

        quorum.each("propose", Sent::toString);
    }

    @Test
    void aRepeatedConfirmationInsistsAlsoWhenAHoldOfThisClientIsAlive() {
        hold(1);
        waiter(2);
        quorum.nodes.forEach(node -> node.topic().confirm());
        quorum.assertNothingOpen();

        quorum.node(2).topic().confirm();

        quorum.each("propose", asked -> assertThat(asked.field()).startsWith("c:2:"));
    }

    @Test
    void aSplitIsUndoneAndTriedAgainAfterAPause() {
        waiter(1);
        String first = quorum.next(0, "propose").field();
        split();
        assertThat(quorum.next(0, "release").field()).isEqualTo(first);
        quorum.doneAll();

        quorum.runtime.advanceMillis(1);

        quorum.each("propose", asked -> assertThat(asked.field()).isNotEqualTo(first));
    }

    @Test
    void aSplitWhileANodeIsDownIsASplitToo() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        splitWithoutTheThird();
        assertThat(call).isCompletedWithValue(false);
        quorum.doneAll();

        waiter(2);
        splitWithoutTheThird();
        quorum.doneAll();
        quorum.runtime.advanceMillis(2);

        quorum.next(0, "propose");
        quorum.next(1, "propose");
    }

    @Test
    void whileSplitsGoOnThePausesGrowUpToABound() {
        waiter(1);
        List<Long> pausesMillis = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            split();
            quorum.doneAll();
            long millis = 0;
            while (quorum.open().isEmpty()) {
                quorum.runtime.advanceMillis(1);
                millis++;
            }
            pausesMillis.add(millis);
        }

        assertThat(pausesMillis.subList(0, 4)).allMatch(millis -> millis <= 5);
        assertThat(pausesMillis.subList(20, 60)).anyMatch(millis -> millis > 30).allMatch(millis -> millis <= 251);
    }

    @Test
    void messagesDuringAPauseAreTheOthersGivingWayAndNotHeard() {
        waiter(1);
        for (int i = 0; i < 20; i++) {
            split();
            quorum.doneAll();
            for (int j = 0; j < 3; j++) {
                ring(j);
            }
            quorum.assertNothingOpen();
            while (quorum.open().isEmpty()) {
                quorum.runtime.advanceMillis(1);
            }
        }
    }

    @Test
    void aMessageDuringARoundIsKeptAlsoWhileOthersGiveWay() {
        CompletableFuture<Boolean> first = waiter(1);
        waiter(2);
        split();
        quorum.doneAll();
        first.cancel(true);
        List<Sent> round = quorum.open();
        assertThat(round).extracting(Sent::field).allMatch(field -> field.startsWith("c:2:"));
        ring(0);
        ring(1);

        round.forEach(asked -> asked.refused(20_000, "x:1:1"));
        quorum.open().stream().filter(call -> call.script().equals("release")).forEach(Sent::done);

        assertThat(quorum.open()).extracting(Sent::script).containsExactly("propose", "propose", "propose");
    }

    @Test
    void aPauseEndsWithTheWait() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(2, -1, SECONDS, 1).toCompletableFuture();
        for (int i = 0; i < 2_100 && !call.isDone(); i++) {
            if (!quorum.open().isEmpty()) {
                split();
                quorum.doneAll();
            }
            quorum.runtime.advanceMillis(1);
        }

        assertThat(call).isCompletedWithValue(false);
    }

    @Test
    void aHolderBehindASplitIsWaitedForLikeAnyOther() {
        waiterThatListens(1);
        split();
        quorum.doneAll();
        quorum.runtime.advanceMillis(1);

        refuseAll();

        quorum.runtime.advanceMillis(1_000);
        quorum.assertNothingOpen();
    }

    @Test
    void theNextLocalWaiterAsksRightBehindTheRelease() {
        hold(1);
        CompletableFuture<Boolean> second = waiter(2);
        lock.unlockAsync(1);

        quorum.nodes.forEach(
                node -> assertThat(node.open()).extracting(Sent::script).containsExactly("release", "propose"));
        quorum.each("release", Sent::done);
        quorum.each("propose", asked -> asked.granted(TOKEN + 1));
        assertThat(second).isCompletedWithValue(true);
    }

    /** Clients of older versions leave no word, for which a node would reserve what is freed. */
    @Test
    void aRunOfLocalSuccessorsIsBoundedInTime() {
        hold(1);
        waiter(2);
        waiter(3);
        quorum.runtime.jumpMillis(499);
        lock.unlockAsync(1);
        quorum.each("release", Sent::done);
        quorum.each("propose", asked -> asked.granted(TOKEN + 1));
        quorum.runtime.jumpMillis(1);

        lock.unlockAsync(2);

        quorum.nodes.forEach(
                node -> assertThat(node.open()).extracting(Sent::script).containsExactly("release"));
    }

    @Test
    void whoIsRefusedBehindItsOwnReleaseBeginsANewTurn() {
        hold(1);
        waiter(2);
        waiter(3);
        quorum.runtime.jumpMillis(499);
        lock.unlockAsync(1);
        quorum.each("release", Sent::done);
        quorum.each("propose", asked -> asked.refused(10, "x:next"));
        quorum.doneAll();
        call("c", 0, 1);
        quorum.each("propose", asked -> asked.granted(TOKEN + 1));
        quorum.runtime.jumpMillis(1);

        lock.unlockAsync(2);

        quorum.nodes.forEach(
                node -> assertThat(node.open()).extracting(Sent::script).containsExactly("release", "propose"));
    }

    // --- whose turn it is ---

    @Test
    void whomAMajorityNamesAsksAtOnce() {
        waiter(1);
        refuseAll();
        call("d", 0, 1);
        quorum.assertNothingOpen();
        call("c", 0);
        quorum.assertNothingOpen();
        call("c", 1);

        quorum.each("propose", Sent::toString);
    }

    /** As after a node was restarted, or beside clients of older versions: the lock may be free, and whose turn it is, is not known. */
    @Test
    void whereNoMajorityAgreesAllMayAskALittleLater() {
        waiter(1);
        refuseAll();
        call("d", 0);
        ring(1);

        quorum.runtime.advanceMillis(9);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(1);
        quorum.each("propose", Sent::toString);
    }

    /** A client of one of the nodes alone wants the lock: that is no word of a release, and takes none's place. */
    @Test
    void thatAClientWaitsAtANodeIsNoWordOfARelease() {
        waiter(1);
        refuseAll();
        call("c", 0);
        quorum.node(0).topic().publish("wanted");
        quorum.node(2).topic().publish("wanted");
        quorum.assertNothingOpen();

        call("c", 1);

        quorum.each("propose", Sent::toString);
    }

    /** Else a client would never ask where others have the lock for less than a grace. */
    @Test
    void oneReservationBehindTheOtherDoesNotPutTheLookOff() {
        waiter(1);
        refuseAll();
        call("d", 0, 1, 2);
        quorum.runtime.advanceMillis(6);
        call("e", 0, 1, 2);

        quorum.runtime.advanceMillis(4);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(1);
        quorum.each("propose", Sent::toString);
    }

    @Test
    void whatNodesSayLaterThanTheMajorityIsNoNews() {
        waiter(1);
        refuseAll();
        call("c", 0, 1);
        quorum.each("propose", asked -> asked.refused(20_000, "x:1:1"));
        quorum.doneAll();

        call("c", 2);
        quorum.runtime.advanceMillis(11);
        quorum.assertNothingOpen();
    }

    @Test
    void whoIsNamedWhileItsRoundIsLostAsksAgainAtOnce() {
        waiter(1);
        refuseAll();
        ring(0);
        ring(1);
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").refused(20_000, "x:1:1");
        call("c", 0, 1);
        quorum.next(2, "propose").refused(20_000, "y:1:1");

        quorum.nodes.forEach(
                node -> assertThat(node.open()).extracting(Sent::script).contains("propose"));
    }

    @Test
    void whoIsNotNamedLooksWhenTheOtherHasHadItsTime() {
        waiter(1);
        refuseAll();
        call("d", 0, 1, 2);

        quorum.runtime.advanceMillis(10);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(1);
        quorum.each("propose", Sent::toString);
    }

    /** What it got is reserved for the client whose call waits longest, which it may be itself. */
    @Test
    void whoGivesWayKeepsItsPlace() {
        waiter(1);
        split();

        Sent given = quorum.next(0, "release");
        assertThat(given.keys).contains("holdfast:{stock}:turns");
        assertThat(given.args).endsWith("2");
    }

    @Test
    void whoHasGivenUpLeavesNoPlace() {
        CompletableFuture<Boolean> call = waiter(1);
        quorum.next(0, "propose").granted(TOKEN);
        call.cancel(true);

        assertThat(quorum.next(0, "release").args).endsWith("0");
    }

    private void hold(long threadId) {
        lock.tryLockAsync(threadId);
        quorum.grantAll();
    }

    private CompletableFuture<Boolean> waiter(long threadId) {
        return lock.tryLockAsync(60, -1, SECONDS, threadId).toCompletableFuture();
    }

    private void waiterThatListens(long threadId) {
        waiter(threadId);
        refuseAll();
        quorum.nodes.subList(0, 2).forEach(node -> node.topic().confirm());
    }

    private void refuseAll() {
        quorum.each("propose", asked -> asked.refused(20_000, "x:1:1"));
        quorum.doneAll();
    }

    /** Three want it, and each has a node. */
    private void split() {
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").refused(20_000, "x:1:1");
        quorum.next(2, "propose").refused(20_000, "y:1:1");
    }

    private void splitWithoutTheThird() {
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "propose").refused(20_000, "x:1:1");
    }

    /** Some nodes say that what was freed there is reserved for a client. */
    private void call(String client, int... nodes) {
        for (int node : nodes) {
            quorum.node(node).topic().publish("next " + client);
        }
    }

    private void ring(int index) {
        quorum.node(index).topic().publish();
    }
}
