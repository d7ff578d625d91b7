package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Holds over a quorum regain the nodes that they lack (rule 73), one answer at a time. */
class QuorumJoinTest {
    /** A third of the watchdog's lease, after which a node is asked at the latest. */
    private static final long PERIOD_MILLIS = 10_000;

    /** A part of a period by which a look may come later than a node may be asked. */
    private static final long LOOK_MILLIS = PERIOD_MILLIS / 4 + 1;

    private static final long STEP_MILLIS = 100;

    /** What a test answers itself. */
    private static final Set<String> LEFT_OPEN = Set.of("join", "release", "reenter");

    private final ScriptedQuorum quorum = quorum(QuorumOptions.defaults());
    private RLock lock = quorum.lock();
    private final List<Sent> hangs = new ArrayList<>();

    private static ScriptedQuorum quorum(QuorumOptions options) {
        ScriptedQuorum quorum = new ScriptedQuorum(3, options);
        for (ScriptedBackend node : quorum.nodes) {
            node.run = run(quorum, node.describe() + "1");
        }
        return quorum;
    }

    /** A process that has run for long. */
    private static ServerRun run(ScriptedQuorum quorum, String id) {
        return new ServerRun(id, quorum.runtime.nanos() - HOURS.toNanos(1));
    }

    // --- a node that refused ---

    @Test
    void aNodeThatRefusedJoinsWithinTwoPeriods() {
        LockHold hold = heldWithout(2);

        Sent join = joinOf(2);

        assertThat(join.args)
                .as("field, count, lease, keeps its token, token")
                .containsExactly("c:h1:1", "1", "30000", "1", "" + TOKEN);
        join.done();
        passPeriods(1);
        assertThat(quorum.scripts(2)).as("renewed like the others").endsWith("renew");
        forget(0);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void withoutTheJoinTheSecondNodeToFailEndsTheHold() {
        LockHold hold = heldWithout(2);
        forget(0);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void aNodeIsAskedOnceInAPeriodWhileItDoesNotAnswer() {
        heldWithout(2);
        joinOf(2).fault(Fault.Kind.UNREACHABLE, false);
        long before = joins(2);

        passPeriods(4);

        assertThat(joins(2) - before).isBetween(2L, 5L);
    }

    @Test
    void aRefusedJoinIsRepeatedWhenAMessageSaysFree() {
        heldWithout(2);
        joinOf(2).reply(0L, 60_000L);
        ScriptedBackend.Topic topic = quorum.node(2).topic();
        topic.confirm();
        quorum.next(2, "join").reply(0L, 60_000L);

        topic.publish();

        quorum.next(2, "join").done();
        assertThat(topic.closed).isTrue();
    }

    @Test
    void aRefusedJoinIsRepeatedWhenThatLeaseIsOver() {
        heldWithout(2);
        joinOf(2).reply(0L, 1_000L);

        quorum.runtime.advanceMillis(LOOK_MILLIS);

        quorum.next(2, "join").done();
    }

    @Test
    void aReleaseTravelsBehindAJoinAndEndsListening() {
        LockHold hold = heldWithout(2);
        joinOf(2).reply(0L, 60_000L);
        ScriptedBackend.Topic topic = quorum.node(2).topic();
        topic.publish();
        CompletableFuture<Void> release = hold.releaseAsync().toCompletableFuture();

        assertThat(quorum.node(2).open()).extracting(Sent::script).containsExactly("join", "release");
        quorum.doneAll();
        assertThat(release).isCompleted();
        assertThat(topic.closed).isTrue();
        quorum.runtime.advanceMillis(60_000);
        quorum.assertNothingOpen();
        assertThat(quorum.runtime.timers()).isZero();
    }

    @Test
    void aJoinThatIsWrittenBehindTheUndoIsUndoneOnceMore() {
        LockHold hold = heldWithout(2);
        Sent join = joinOf(2);
        hold.releaseAsync();
        quorum.next(0, "release").done();
        quorum.next(1, "release").done();
        quorum.node(2).open().get(1).gone();

        join.done();

        quorum.next(2, "release").done();
        quorum.assertNothingOpen();
    }

    // --- when a node may not join ---

    @Test
    void noNodeJoinsAHoldThatIsLost() {
        LockHold hold = heldWithout(2);
        joinOf(2).reply(0L, 60_000L);
        ScriptedBackend.Topic topic = quorum.node(2).topic();
        quorum.runtime.jumpMillis(30_000);

        topic.publish();

        assertThat(joins(2)).isOne();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(topic.closed).isTrue();
    }

    @Test
    void aJoinAnsweredWhenTheHoldIsLostIsUndone() {
        LockHold hold = heldWithout(2);
        Sent join = joinOf(2);
        quorum.runtime.jumpMillis(30_000);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        the(2, "release").gone();

        join.done();

        quorum.next(2, "release").done();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void withoutTheGuardNoNodeJoins() {
        ScriptedQuorum unguarded =
                quorum(QuorumOptions.builder().restartGuard(false).build());
        lock = unguarded.lock();
        lock.acquireAsync();
        unguarded.next(2, "propose").refused(5_000);
        unguarded.next(0, "propose").granted(TOKEN);
        unguarded.next(1, "propose").granted(TOKEN);

        for (int i = 0; i < 40; i++) {
            unguarded.runtime.advanceMillis(PERIOD_MILLIS / 10);
            unguarded.open().forEach(Sent::done);
        }

        assertThat(unguarded.count("join")).isZero();
    }

    @Test
    void aNodeWhoseProcessIsNotKnownDoesNotJoin() {
        quorum.node(2).run = ServerRun.UNKNOWN;
        heldWithout(2);

        passPeriods(4);

        assertThat(joins(2)).isZero();
    }

    @Test
    void aNodeThatTheGuardLeavesOutDoesNotJoinUntilItCounts() {
        heldWithout(2);
        quorum.node(2).run = new ServerRun("c2", quorum.runtime.nanos());
        quorum.node(2).reconnected();

        passPeriods(3);
        assertThat(joins(2)).isZero();
        passPeriods(2);

        assertThat(joins(2)).isPositive();
    }

    @Test
    void aJoinAnsweredByAProcessThatIsLeftOutIsUndone() {
        heldWithout(2);
        Sent join = joinOf(2);
        quorum.node(2).run = new ServerRun("c2", quorum.runtime.nanos());

        join.writtenTo(quorum.node(2).run).done();

        assertThat(open(2)).contains("release");
    }

    @Test
    void whereTheFieldVanishedInTheSameProcessItDoesNotJoin() {
        held();
        forget(2);

        passPeriods(4);

        assertThat(joins(2))
                .as("it was freed by force, deleted or evicted there")
                .isZero();
    }

    @Test
    void whereTheFieldVanishedWithTheProcessItJoins() {
        LockHold hold = held();
        quorum.node(2).run = run(quorum, "c2");
        quorum.node(2).reconnected();
        the(2, "renew").gone();
        passPeriods(3);
        assertThat(joins(2)).as("left out, and not asked").isZero();

        joinOf(2).done();
        answerAll();
        forget(0);

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aLateRenewalOfTheLeaseBeforeDoesNotEndTheFreshOne() {
        LockHold hold = held();
        Sent late = nextRenewal(2);
        hangs.add(late);
        late.overdue();
        passPeriods(3);
        late.done();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);

        joinOf(2).done();

        answerAll();
        forget(0);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aNodeDoesNotJoinBeforeItHasConfirmedAnUndo() {
        lock.acquireAsync();
        marks();
        quorum.next(2, "propose").disconnected();
        grant(0);
        grant(1);
        Sent undo = quorum.next(2, "release");

        passPeriods(3);
        assertThat(joins(2)).isZero();
        undo.gone();

        joinOf(2).done();
    }

    @Test
    void anUndoIsRepeatedForAsLongAsTheHoldLives() {
        lock.acquireAsync();
        marks();
        quorum.next(2, "propose").disconnected();
        grant(0);
        grant(1);
        Sent undo = quorum.next(2, "release");
        undo.overdue();
        passPeriods(6);
        assertThat(quorum.scripts(2)).filteredOn("release"::equals).hasSize(1);

        undo.disconnected();
        passPeriods(6);

        assertThat(quorum.scripts(2)).filteredOn("release"::equals).hasSizeGreaterThan(1);
        assertThat(joins(2)).isZero();
    }

    @Test
    void aJoinWithoutAnAnswerIsUndoneBeforeTheNext() {
        heldWithout(2);
        joinOf(2).disconnected();

        Sent undo = quorum.next(2, "release");
        passPeriods(2);
        assertThat(joins(2)).isOne();
        undo.done();

        joinOf(2).done();
    }

    // --- what a join gives ---

    @Test
    void aJoinCountsOnceTheOthersHaveConfirmedTheHold() {
        LockHold hold = heldWithout(2);
        hangs.add(nextRenewal(0));
        joinOf(2).done();
        quorum.nodes.subList(1, 3).forEach(node -> List.copyOf(node.open()).forEach(Sent::done));

        hangs.remove(0).gone();

        assertThat(hold.state())
                .as("the first had lost it before the third joined")
                .isEqualTo(HoldState.LOST);
    }

    @Test
    void anAnswerToAnEarlierQuestionConfirmsNothing() {
        LockHold hold = heldWithout(2);
        Sent early = nextRenewal(0);
        hangs.add(early);
        joinOf(2).done();
        quorum.nodes.subList(1, 3).forEach(node -> List.copyOf(node.open()).forEach(Sent::done));
        early.done();

        forget(0);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void aJoinCountsFromBeforeItWasSent() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofSeconds(30)).acquireAsync().toCompletableFuture();
        refuse(2);
        grant(0);
        grant(1);
        Sent join = joinOf(2);
        long leaseMillis = Long.parseLong(join.args.get(2));
        quorum.runtime.advanceMillis(40);
        join.done();
        answerAll();
        quorum.node(0).reconnected();
        the(0, "renew").gone();

        long validMillis = now(call).validFor().toMillis();

        assertThat(validMillis)
                .as("of %s ms at the node that joined", leaseMillis)
                .isLessThan(leaseMillis - leaseMillis / 100 - 40);
    }

    @Test
    void anExtensionRestsOnNodesThatCount() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofSeconds(30)).acquireAsync().toCompletableFuture();
        refuse(2);
        grant(0);
        grant(1);
        joinOf(2).done();

        CompletableFuture<Void> extension =
                now(call).extendAsync(Duration.ofSeconds(600)).toCompletableFuture();
        List.copyOf(quorum.node(0).open()).forEach(Sent::done);
        List.copyOf(quorum.node(2).open()).forEach(Sent::done);
        assertThat(extension).as("the second node has not answered").isNotDone();

        List.copyOf(quorum.node(1).open()).forEach(Sent::done);
        assertThat(extension).isCompleted();
        assertThat(now(call).validFor()).isGreaterThan(Duration.ofSeconds(590));
    }

    @Test
    void anExtensionDoesNotRestOnALeaseThatRanOutFirst() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofSeconds(30)).acquireAsync().toCompletableFuture();
        marks();
        quorum.grantAll();
        CompletableFuture<Void> first =
                now(call).extendAsync(Duration.ofSeconds(100)).toCompletableFuture();
        quorum.next(2, "renew").fault(Fault.Kind.OOM, false);
        quorum.next(0, "renew").done();
        quorum.next(1, "renew").done();
        assertThat(first).isCompleted();

        quorum.runtime.advanceMillis(29_600);
        CompletableFuture<Void> second =
                now(call).extendAsync(Duration.ofSeconds(600)).toCompletableFuture();
        Sent slow = the(2, "renew");
        the(0, "renew").done();
        quorum.runtime.jumpMillis(200);
        slow.done();
        assertThat(second).as("the second node has not answered").isNotDone();

        the(1, "renew").done();
        assertThat(second).isCompleted();
        assertThat(now(call).validFor()).isGreaterThan(Duration.ofSeconds(590));
    }

    @Test
    void aReleaseReachesANodeThatHadTheFieldAndDidNotJoin() {
        LockHold hold = held();
        Sent late = nextRenewal(2);
        hangs.add(late);
        late.overdue();
        passPeriods(3);
        late.done();
        joinOf(2).fault(Fault.Kind.OOM, false);

        hold.releaseAsync();
        quorum.doneAll();

        assertThat(quorum.node(2).releasedFields())
                .as("it was renewed there, if too late")
                .isNotEmpty();
    }

    @Test
    void aGrantThatIsLateByTheClockDoesNotCountAtOnce() {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        marks();
        Sent late = quorum.next(2, "propose");
        grant(0);
        grant(1);
        quorum.runtime.jumpMillis(20_000);
        late.granted(TOKEN);

        the(0, "renew").gone();

        assertThat(now(call).state()).isEqualTo(HoldState.LOST);
    }

    // --- what a join asks for, and what it must not disturb ---

    @Test
    void aJoinAsksForNoMoreThanWhatIsLeftOfAFixedLease() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofSeconds(30)).acquireAsync().toCompletableFuture();
        refuse(2);
        grant(0);
        grant(1);
        now(call);

        Sent join = joinOf(2);

        assertThat(Long.parseLong(join.args.get(2)) * 1_000_000)
                .isLessThanOrEqualTo(now(call).validFor().toNanos());
        join.done();
    }

    @Test
    void aWatchedHoldWithALongerFixedLevelAsksForWhatIsLeftOfThat() {
        lock.lockAsync(10, MINUTES, 1);
        refuse(2);
        grant(0);
        grant(1);
        lock.lockAsync(1);
        quorum.next(0, "reenter").done();
        quorum.next(1, "reenter").done();

        Sent join = joinOf(2, 5 * 60_000);

        assertThat(Long.parseLong(join.args.get(2))).isBetween(300_000L, 600_000L);
        join.done();
    }

    @Test
    void aJoinAsksForNoMoreThanWhatIsLeftOfTheLongestTimeToHold() {
        lock = quorum.client("c")
                .getLock(
                        "stock",
                        LockOptions.builder().maxHold(Duration.ofSeconds(40)).build());
        long beganNanos = quorum.runtime.nanos();
        heldWithout(2);
        joinOf(2).reply(0L, 60_000L);
        for (long passed = 0; passed < PERIOD_MILLIS / 4; passed += STEP_MILLIS) {
            quorum.runtime.advanceMillis(STEP_MILLIS);
            answerAll();
        }

        quorum.node(2).topic().publish();

        Sent join = quorum.next(2, "join");
        long heldMillis = TimeUnit.NANOSECONDS.toMillis(quorum.runtime.nanos() - beganNanos);
        assertThat(Long.parseLong(join.args.get(2)))
                .as("after %s ms, and less than the watchdog's lease", heldMillis)
                .isBetween(10_000L, 40_000 - heldMillis)
                .isLessThan(30_000);
        join.done();
    }

    @Test
    void aReentryDuringAJoinIsToldToTheNodeBehindIt() {
        lock.tryLockAsync(1);
        refuse(2);
        grant(0);
        grant(1);
        Sent join = joinOf(2);
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(0, "reenter").done();
        quorum.next(1, "reenter").done();
        assertThat(again).as("a join delays nothing").isCompletedWithValue(true);

        join.done();

        assertThat(the(2, "reenter").args).contains("2");
    }

    @Test
    void aNodeThatDidNotAnswerAReentryIsToldAgain() {
        lock.tryLockAsync(1);
        marks();
        quorum.grantAll();
        lock.tryLockAsync(1);
        quorum.next(0, "reenter").done();
        quorum.next(1, "reenter").done();
        quorum.next(2, "reenter").disconnected();

        quorum.runtime.advanceMillis(LOOK_MILLIS);

        assertThat(the(2, "reenter").args).contains("2");
        the(2, "reenter").done();
        passPeriods(1);
        assertThat(open(2)).doesNotContain("reenter");
    }

    @Test
    void aNodeThatOwesAnswersIsNotAsked() {
        heldWithout(2);
        Sent join = joinOf(2);
        hangs.add(join);
        join.overdue();

        passPeriods(4);

        assertThat(joins(2)).isOne();
    }

    // --- the steps of the tests ---

    private LockHold held() {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        for (int node = 0; node < 3; node++) {
            grant(node);
        }
        return now(call);
    }

    private LockHold heldWithout(int refusing) {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        refuse(refusing);
        for (int node = 0; node < 3; node++) {
            if (node != refusing) {
                grant(node);
            }
        }
        return now(call);
    }

    private void grant(int node) {
        marks();
        quorum.next(node, "propose").granted(TOKEN);
    }

    private void refuse(int node) {
        marks();
        quorum.next(node, "propose").refused(5_000);
    }

    /** The nodes say which run their markers name: each its own. */
    private void marks() {
        for (ScriptedBackend node : quorum.nodes) {
            node.open().stream()
                    .filter(sent -> sent.script().startsWith("mark"))
                    .forEach(sent -> sent.reply(node.run.id()));
        }
    }

    private Sent nextRenewal(int node) {
        for (long passed = 0; passed < 2 * PERIOD_MILLIS && !open(node).contains("renew"); passed += STEP_MILLIS) {
            quorum.runtime.advanceMillis(STEP_MILLIS);
            answerOthers(node);
        }
        return the(node, "renew");
    }

    /** A node says, at its next renewal, that it does not know the hold. */
    private void forget(int node) {
        nextRenewal(node).gone();
    }

    /** The next request to join of a node; whatever else is asked is answered until then. */
    private Sent joinOf(int node) {
        return joinOf(node, PERIOD_MILLIS + LOOK_MILLIS);
    }

    private Sent joinOf(int node, long withinMillis) {
        for (long passed = 0; passed < withinMillis && !open(node).contains("join"); passed += STEP_MILLIS) {
            quorum.runtime.advanceMillis(STEP_MILLIS);
            answerAll();
        }
        return the(node, "join");
    }

    /** The open call of this script at a node. */
    private Sent the(int node, String script) {
        return quorum.node(node).open().stream()
                .filter(sent -> sent.script().equals(script))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no open " + script + ": " + quorum.node(node).sent));
    }

    private long joins(int node) {
        return quorum.scripts(node).stream().filter("join"::equals).count();
    }

    private List<String> open(int node) {
        return quorum.node(node).open().stream().map(Sent::script).toList();
    }

    /** Time passes, and what the nodes are asked is answered; only releases are not, and a node that is asked to join is away. */
    private void passPeriods(int periods) {
        for (long passed = 0; passed < periods * PERIOD_MILLIS; passed += STEP_MILLIS) {
            quorum.runtime.advanceMillis(STEP_MILLIS);
            answerAll();
            quorum.open().stream()
                    .filter(sent -> sent.script().equals("join") && !hangs.contains(sent))
                    .forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
        }
    }

    private void answerAll() {
        answerOthers(-1);
    }

    private void answerOthers(int silent) {
        for (int node = 0; node < 3; node++) {
            if (node != silent) {
                marks();
                quorum.node(node).open().stream()
                        .filter(sent -> !LEFT_OPEN.contains(sent.script()) && !hangs.contains(sent))
                        .forEach(Sent::done);
            }
        }
    }
}
