package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Registration;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.ScriptedBackend.Topic;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Elections over three nodes (rule 66), in orders of events that real servers hardly ever bring. */
class QuorumElectionOrderTest {

    private static final long TERM = ScriptedQuorum.TOKEN;
    private static final byte[] VALUE = "a".getBytes(UTF_8);

    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final LockClient client = quorum.client("c");
    private final LeaderElection election = client.getElection("jobs");
    private final List<String> told = new ArrayList<>();

    // --- campaigns ---

    @Test
    void aCandidateLeadsWhenAMajorityHasItsRecord() {
        CompletableFuture<Leadership> call = elected();
        quorum.each("adopt", adopt -> {
            assertThat(adopt.args.get(1)).isEqualTo(String.valueOf(TERM));
            adopt.reply(1L);
        });
        assertThat(quorum.next(0, "proclaim").args.subList(1, 4)).containsExactly("1", "a", "1");
        quorum.next(0, "proclaim").reply(1L);
        assertThat(call).isNotDone();
        quorum.next(2, "proclaim").reply(1L);
        assertThat(now(call).term()).isEqualTo(TERM);
    }

    /** Its record would be of another term. */
    @Test
    void aNodeGetsTheTokenOfTheTermBeforeItsRecord() {
        CompletableFuture<Leadership> call = election.campaignAsync("1", VALUE).toCompletableFuture();
        quorum.next(0, "propose").granted(TERM);
        quorum.next(1, "propose").granted(TERM);
        quorum.next(2, "propose").granted(TERM + 90);
        quorum.node(2).open().forEach(adopt -> adopt.fault(Fault.Kind.DISCONNECTED, true));
        quorum.runtime.advanceMillis(100);
        Sent again = quorum.next(2, "adopt");
        assertThat(again.args.get(1)).isEqualTo(String.valueOf(TERM));
        assertThat(quorum.scripts(2)).doesNotContain("proclaim");
        again.reply(1L);
        quorum.next(2, "proclaim").reply(1L);
        quorum.doneAll();
        assertThat(now(call).term()).isEqualTo(TERM);
    }

    @Test
    void oneThatAMajorityDoesNotProclaimGivesTheLockBack() {
        CompletableFuture<Optional<Leadership>> call =
                election.campaignAsync("1", VALUE, Duration.ZERO).toCompletableFuture();
        quorum.grantAll();
        quorum.each("adopt", Sent::done);
        quorum.next(0, "proclaim").reply(1L);
        quorum.runtime.advanceMillis(3_000);
        quorum.open().forEach(this::answerRenewals);
        quorum.runtime.advanceMillis(3_000);
        assertFailed(call, LockOutcomeUnknownException.class);
        assertThatThrownBy(call::join).hasMessageContaining("NO_MAJORITY: a: it is said there; b: ");
        assertThat(quorum.count("release")).isPositive();
    }

    private void answerRenewals(Sent open) {
        if (open.script().equals("renew")) {
            open.done();
        }
    }

    @Test
    void oneThatAMajorityRefusesFailsAtOnce() {
        CompletableFuture<Leadership> call = elected();
        quorum.each("adopt", Sent::done);
        quorum.next(0, "proclaim").fault(Fault.Kind.WRONGTYPE, false);
        assertThat(call).isNotDone();
        quorum.next(1, "proclaim").fault(Fault.Kind.WRONGTYPE, false);
        assertFailed(call, LockServerException.class);
        assertThat(quorum.count("release")).isPositive();
    }

    @Test
    void oneWhoseLockIsGoneAtAMajorityHasLostIt() {
        CompletableFuture<Leadership> call = elected();
        quorum.next(0, "adopt").gone();
        quorum.next(0, "renew").gone();
        assertThat(call).isNotDone();
        quorum.next(1, "adopt").gone();
        quorum.next(1, "renew").gone();
        assertFailed(call, LockLostException.class);
    }

    @Test
    void oneThatIsCancelledBeforeItIsProclaimedLeavesNothing() {
        CompletableFuture<Leadership> call = elected();
        call.cancel(true);
        quorum.doneAll();
        assertThat(quorum.count("release")).isEqualTo(3);
        quorum.runtime.advanceMillis(60_000);
        quorum.assertNothingOpen();
        assertThat(quorum.runtime.timers()).isZero();
    }

    // --- terms ---

    @Test
    void aNodeThatMissedARecordHearsItSoonAndTheNewestOnly() {
        CompletableFuture<Leadership> call = elected();
        quorum.each("adopt", Sent::done);
        quorum.next(0, "proclaim").reply(1L);
        quorum.next(1, "proclaim").reply(1L);
        Leadership leadership = now(call);
        leadership.setValueAsync("b".getBytes(UTF_8));
        CompletableFuture<Void> set =
                leadership.setValueAsync("c".getBytes(UTF_8)).toCompletableFuture();
        Sent owed = quorum.next(2, "proclaim");
        quorum.next(0, "proclaim").reply(1L);
        quorum.next(1, "proclaim").reply(1L);
        quorum.next(0, "proclaim").reply(1L);
        quorum.next(1, "proclaim").reply(1L);
        now(set);
        owed.overdue();
        quorum.runtime.advanceMillis(1_000);
        Sent late = quorum.node(2).open().get(1);
        assertThat(late.script()).isEqualTo("proclaim");
        assertThat(late.args.subList(2, 4)).containsExactly("c", "3");
    }

    /** A record may be deleted, and a late copy of a request may bring an earlier token of the same hold. */
    @Test
    void onceAMinuteEveryNodeHearsOfTheTokenAndTheRecordAgain() {
        Leadership leadership = leading();
        for (int second = 0; second < 61; second++) {
            quorum.runtime.advanceMillis(1_000);
            quorum.doneAll();
        }
        assertThat(quorum.nodes).allSatisfy(node -> assertThat(node.sent)
                .extracting(Sent::script)
                .filteredOn(script -> !script.equals("renew"))
                .endsWith("adopt", "proclaim", "adopt", "proclaim"));
        assertThat(leadership.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aLeaderThatResignsLeavesNoTimer() {
        Leadership leadership = leading();
        quorum.runtime.advanceMillis(1_000);
        quorum.doneAll();
        leadership.resignAsync();
        quorum.doneAll();
        assertThat(now(leadership.ended().toCompletableFuture())).isEqualTo(TermEnd.RESIGNED);
        quorum.runtime.advanceMillis(60_000);
        quorum.assertNothingOpen();
        assertThat(quorum.runtime.timers()).isZero();
    }

    @Test
    void aValueThatTooFewConfirmIsUnknownAndTheLeaderStays() {
        Leadership leadership = leading();
        CompletableFuture<Void> set =
                leadership.setValueAsync("b".getBytes(UTF_8)).toCompletableFuture();
        quorum.next(0, "proclaim").reply(1L);
        for (int passed = 0; passed < 6; passed++) {
            quorum.runtime.advanceMillis(1_000);
            quorum.open().forEach(this::answerRenewals);
        }
        assertFailed(set, LockOutcomeUnknownException.class);
        assertThat(leadership.state()).isEqualTo(HoldState.HELD);
    }

    /** No node is asked for it after the end of the term. */
    @Test
    void aValueThatWaitsForItsTurnEndsWithTheTerm() {
        Leadership leadership = leading();
        CompletableFuture<Void> first =
                leadership.setValueAsync("b".getBytes(UTF_8)).toCompletableFuture();
        CompletableFuture<Void> second =
                leadership.setValueAsync("c".getBytes(UTF_8)).toCompletableFuture();
        leadership.resignAsync();
        assertThat(second).isNotDone();
        quorum.each("proclaim", Sent::done);
        now(first);
        assertFailed(second, LockNotHeldException.class);
        assertThat(leadership.lost().toCompletableFuture()).isNotDone();
    }

    /** What refused an earlier value may be mended by now. */
    @Test
    void aRefusalDoesNotEndTheNextValue() {
        Leadership leadership = leading();
        CompletableFuture<Void> refused =
                leadership.setValueAsync("b".getBytes(UTF_8)).toCompletableFuture();
        quorum.each("proclaim", sent -> sent.fault(Fault.Kind.WRONGTYPE, false));
        assertFailed(refused, LockServerException.class);
        quorum.doneAll();
        CompletableFuture<Void> next =
                leadership.setValueAsync("c".getBytes(UTF_8)).toCompletableFuture();
        assertThat(next).isNotDone();
        quorum.doneAll();
        now(next);
    }

    // --- looks ---

    @Test
    void aLeaderIsOneOfWhichAMajorityTells() {
        CompletableFuture<Optional<Leader>> look = election.leaderAsync().toCompletableFuture();
        quorum.next(0, "observe").reply(8L, 9_000L, 1L, "1", "b");
        quorum.next(1, "observe").reply(7L, 9_000L, 1L, "0", "a");
        quorum.next(2, "observe").reply(8L, 9_000L, 2L, "1", "c");
        assertThat(now(look)).contains(new Leader("1", "c".getBytes(UTF_8), 8));
    }

    @Test
    void withoutAMajorityOfOneTermNoCandidateLeads() {
        CompletableFuture<Optional<Leader>> look = election.leaderAsync().toCompletableFuture();
        quorum.next(0, "observe").reply(8L, 9_000L, 1L, "1", "b");
        quorum.next(1, "observe").reply(7L, 9_000L, 1L, "0", "a");
        quorum.next(2, "observe").reply(8L, 9_000L);
        assertThat(now(look)).isEmpty();
    }

    @Test
    void whatASilentNodeWouldDecideIsNotKnown() {
        CompletableFuture<Optional<Leader>> look = election.leaderAsync().toCompletableFuture();
        quorum.next(0, "observe").reply(8L, 9_000L, 1L, "1", "b");
        quorum.next(1, "observe").reply(0L, -2L);
        quorum.runtime.advanceMillis(10_000);
        assertFailed(look, LockUnavailableException.class);
        assertThatThrownBy(look::join).hasMessageContaining("NO_MAJORITY: a: answered; b: answered; c: ");
    }

    @Test
    void anObserverIsToldAsSoonAsItIsDecided() {
        observing();
        quorum.node(0).topics.get(1).publish(String.valueOf(TERM));
        quorum.node(1).topics.get(1).publish(String.valueOf(TERM));
        quorum.next(0, "observe").reply(TERM, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody");
        quorum.next(2, "observe").reply(TERM, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody", "1 a 7");
    }

    @Test
    void whatIsNotKnownIsNotTold() {
        observing();
        quorum.node(0).topics.get(1).publish("7");
        quorum.runtime.advanceMillis(10);
        leads(0);
        leads(1);
        quorum.next(2, "observe").fault(Fault.Kind.UNREACHABLE, false);
        quorum.node(0).topics.get(0).publish();
        quorum.runtime.advanceMillis(10);
        free(0);
        leads(1);
        quorum.next(2, "observe").fault(Fault.Kind.UNREACHABLE, false);
        assertThat(told).containsExactly("nobody", "1 a 7");
        quorum.runtime.advanceMillis(100);
        free(0);
        free(1);
        assertThat(told).containsExactly("nobody", "1 a 7", "nobody");
    }

    @Test
    void aMajorityThatIsSilentTellsNothing() {
        observing();
        quorum.node(0).topics.get(0).publish();
        quorum.runtime.advanceMillis(10);
        leads(0);
        leads(1);
        quorum.next(2, "observe").reply(0L, -2L);
        quorum.node(1).lost();
        quorum.node(2).lost();
        for (int second = 0; second < 20; second++) {
            quorum.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
            quorum.runtime.advanceMillis(1_000);
        }
        assertThat(told).containsExactly("nobody", "1 a 7");
        quorum.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
        quorum.node(1).reconnected();
        free(0);
        free(1);
        assertThat(told).endsWith("nobody");
    }

    /** An answer does not count together with one that came much later. */
    @Test
    void aNodeThatOwesALookDoesNotCountAndIsNotAskedAgain() {
        observing();
        quorum.node(0).topics.get(0).publish();
        quorum.runtime.advanceMillis(10);
        leads(0);
        Sent owed = quorum.next(1, "observe");
        Sent other = quorum.next(2, "observe");
        quorum.runtime.advanceMillis(owed.dueMillis());
        owed.overdue();
        other.overdue();
        quorum.runtime.advanceMillis(1_000);
        assertThat(quorum.open()).containsExactly(owed, other);
        other.reply(TERM, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody");
        quorum.runtime.advanceMillis(2_000);
        leads(0);
        leads(2);
        assertThat(told).containsExactly("nobody", "1 a 7");
    }

    @Test
    void itLooksWhenTheLeasesOfAMajorityAreOver() {
        observing();
        quorum.node(0).topics.get(0).publish();
        quorum.runtime.advanceMillis(10);
        quorum.next(0, "observe").reply(TERM, 300L, 1L, "1", "a");
        quorum.next(1, "observe").reply(TERM, 700L, 1L, "1", "a");
        quorum.next(2, "observe").reply(0L, -2L);
        quorum.runtime.advanceMillis(300);
        quorum.assertNothingOpen();
        quorum.runtime.advanceMillis(1);
        free(0);
        leads(1);
        free(2);
        assertThat(told).endsWith("nobody");
    }

    @Test
    void anObserverThatIsClosedLeavesNothingBehind() {
        Registration registration = observing();
        registration.close();
        quorum.runtime.advanceMillis(60_000);
        assertThat(quorum.nodes).allSatisfy(node -> assertThat(node.topics).allMatch(topic -> topic.closed));
        quorum.assertNothingOpen();
        assertThat(quorum.runtime.timers()).isZero();
    }

    // --- steps ---

    private CompletableFuture<Leadership> elected() {
        CompletableFuture<Leadership> call = election.campaignAsync("1", VALUE).toCompletableFuture();
        quorum.grantAll();
        return call;
    }

    private Leadership leading() {
        CompletableFuture<Leadership> call = elected();
        quorum.doneAll();
        return now(call);
    }

    /** An observer that was told that no candidate leads, and whose subscriptions are confirmed. */
    private Registration observing() {
        Registration registration = election.observe(leader ->
                told.add(leader.map(seen -> seen.id() + ' ' + new String(seen.value(), UTF_8) + ' ' + seen.term())
                        .orElse("nobody")));
        freeAll();
        quorum.nodes.forEach(node -> node.topics.forEach(Topic::confirm));
        while (!quorum.open().isEmpty()) {
            freeAll();
        }
        return registration;
    }

    private void freeAll() {
        quorum.open().forEach(look -> look.reply(0L, -2L));
    }

    private void leads(int node) {
        quorum.next(node, "observe").reply(TERM, 9_000L, 1L, "1", "a");
    }

    private void free(int node) {
        quorum.next(node, "observe").reply(0L, -2L);
    }
}
