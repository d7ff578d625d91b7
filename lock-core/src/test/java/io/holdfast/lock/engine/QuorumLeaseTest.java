package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Validity is kept per node: what renewals, refusals and silence of single nodes do to the hold (rules 15, 16, 34). */
class QuorumLeaseTest {
    private static final long WATCHED_MILLIS = 30_000 - 302;

    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();
    private final List<LockLoss> losses = new ArrayList<>();

    @Test
    void theValidityIsTheMajorityThLargest() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        Sent first = quorum.next(0, "renew");
        Sent second = quorum.next(1, "renew");

        first.done();
        assertThat(hold.validFor()).as("one node alone proves nothing").isEqualTo(valid(WATCHED_MILLIS - 10_020));

        second.done();
        assertThat(hold.validFor()).isGreaterThan(valid(WATCHED_MILLIS - 10_020));
    }

    @Test
    void renewalsThatSetOutAtDifferentTimesAreNotJustCounted() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(0, "renew").done();
        quorum.next(1, "renew").disconnected();
        quorum.next(2, "renew").fault(Fault.Kind.UNREACHABLE, false);
        quorum.runtime.advanceMillis(2_000);
        Duration before = hold.validFor();

        quorum.next(1, "renew").done();

        Duration renewed = hold.validFor();
        assertThat(renewed).isGreaterThan(before);
        assertThat(renewed)
                .as("the older of the two counts")
                .isLessThanOrEqualTo(valid(WATCHED_MILLIS - 2_000))
                .isGreaterThan(valid(WATCHED_MILLIS - 4_000));
    }

    @Test
    void eachNodeHasALaneOfItsOwn() {
        hold();
        quorum.runtime.advanceMillis(10_020);
        Sent hangs = quorum.next(0, "renew");
        quorum.next(1, "renew").done();
        quorum.next(2, "renew").done();

        quorum.runtime.advanceMillis(10_020);

        assertThat(quorum.node(0).open()).containsExactly(hangs);
        quorum.next(1, "renew").done();
        quorum.next(2, "renew").done();
    }

    @Test
    void aMinorityThatHangsForEverDoesNotEndTheHold() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(0, "renew").overdue();
        for (int second = 0; second < 120; second++) {
            quorum.nodes.subList(1, 3).forEach(node -> List.copyOf(node.open()).forEach(Sent::done));
            quorum.runtime.advanceMillis(1_000);
        }

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(losses).isEmpty();
    }

    @Test
    void aHoldIsUncertainOnlyWhenFewerThanAMajorityAreSure() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(0, "renew").disconnected();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);

        quorum.next(1, "renew").overdue();
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);

        quorum.next(1, "renew").done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void oneNodeThatHasForgottenTheHoldDoesNotEndIt() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(0, "renew").gone();
        quorum.next(1, "renew").done();
        quorum.next(2, "renew").done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);

        quorum.runtime.advanceMillis(10_020);
        assertThat(quorum.node(0).open()).as("it is not asked any more").isEmpty();
    }

    /** One node has hung for a lease, a second one forgets: the hold ends with the second, and for that reason. */
    @Test
    void aHoldThatIsForgottenByOneOfItsLastNodesSaysSo() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(0, "renew").overdue();
        for (int second = 0; second < 40; second++) {
            quorum.nodes.subList(1, 3).forEach(node -> List.copyOf(node.open()).forEach(Sent::done));
            quorum.runtime.advanceMillis(1_000);
        }
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        while (quorum.node(1).open().isEmpty()) {
            quorum.runtime.advanceMillis(100);
        }

        quorum.next(1, "renew").gone();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.KEY_GONE);
    }

    @Test
    void aMajorityThatHasForgottenTheHoldEndsItAndEachNodeIsNamed() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        quorum.next(2, "renew").done();
        quorum.next(0, "renew").gone();
        quorum.next(1, "renew").gone();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).hasSize(1);
        assertThat(losses.get(0).reason()).isEqualTo(LossReason.KEY_GONE);
        assertThat(losses.get(0).detail())
                .contains("a: the server did not know this hold at a renewal")
                .contains("b: the server did not know this hold at a renewal")
                .contains("c: valid for ");
        quorum.next(2, "release").done();
    }

    @Test
    void withoutAMajorityOfRenewalsTheHoldIsLostAndEachNodeIsNamed() {
        LockHold hold = hold();
        for (int i = 0; i < 296; i++) {
            quorum.runtime.advanceMillis(100);
            List.copyOf(quorum.node(0).open()).forEach(Sent::done);
            List.copyOf(quorum.node(1).open()).forEach(asked -> asked.fault(Fault.Kind.UNREACHABLE, false));
            List.copyOf(quorum.node(2).open()).forEach(Sent::disconnected);
        }
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);

        quorum.runtime.advanceMillis(98);

        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.NOT_RENEWED);
        assertThat(losses.get(0).detail())
                .contains("a: valid for ")
                .contains("b: its lease ran out, the last renewal failed: UNREACHABLE")
                .contains("c: its lease ran out, the last renewal failed: DISCONNECTED");
    }

    @Test
    void aRenewalConfirmedAfterThatNodesLeaseRanOutDoesNotReviveIt() {
        LockHold hold = hold();
        quorum.runtime.advanceMillis(10_020);
        Sent late = quorum.next(0, "renew");
        while (quorum.runtime.nanos() < MILLISECONDS.toNanos(26_000)) {
            quorum.runtime.advanceMillis(500);
            quorum.nodes.subList(1, 3).forEach(node -> List.copyOf(node.open()).forEach(Sent::done));
        }
        late.done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);

        quorum.runtime.advanceMillis(11_000);
        quorum.nodes.subList(1, 3).forEach(node -> node.next("renew").gone());

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses.get(0).detail()).contains("a: its lease ran out before a renewal was confirmed");
    }

    @Test
    void aFixedLeaseEndsWhenTheMajorityThLargestIsOver() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofSeconds(1)).acquireAsync().toCompletableFuture();
        quorum.grantAll();
        LockHold hold = now(call).onLost(losses::add);

        quorum.runtime.advanceMillis(987);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        quorum.runtime.advanceMillis(1);

        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.LEASE_EXPIRED);
        quorum.assertNothingOpen();
    }

    @Test
    void aNodeThatIsBackIsAskedAtOnceAndOnlyThatNode() {
        LockHold hold = hold();
        quorum.node(1).reconnected();

        quorum.next(1, "renew").gone();

        assertThat(quorum.node(0).open()).isEmpty();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void theStateIsRightBeforeAnyTimerHasRun() {
        LockHold hold = hold();
        quorum.runtime.jumpMillis(WATCHED_MILLIS);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        quorum.each("release", Sent::gone);
    }

    private LockHold hold() {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        quorum.each("propose", asked -> asked.granted(TOKEN));
        return now(call).onLost(losses::add);
    }

    private static Duration valid(long millis) {
        return Duration.ofMillis(millis);
    }
}
