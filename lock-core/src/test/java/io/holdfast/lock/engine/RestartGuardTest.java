package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes that were restarted and may have forgotten locks stay out of majorities until none can be alive (rule 36). */
class RestartGuardTest {
    /** The longest lease, what clocks may drift meanwhile, and the second in which servers count. */
    private static final long REQUIRED_MILLIS = 30_000 + 302 + 1_000;

    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();

    @Test
    void oldNodesCountAndAreMarkedOnce() {
        allOld();
        tryLock();
        quorum.each("mark", Sent::done);
        quorum.grantAll();
        assertThat(lock.isHeldByThread(1)).isTrue();
        lock.unlockAsync(1);
        quorum.doneAll();

        tryLock();

        quorum.grantAll();
        assertThat(quorum.count("mark")).isEqualTo(3);
    }

    @Test
    void aMarkThatFailedIsSetAtTheNextChance() {
        allOld();
        tryLock();
        quorum.next(0, "mark").fault(Fault.Kind.OOM, false);
        quorum.next(1, "mark").done();
        quorum.next(2, "mark").done();

        quorum.grantAll();

        quorum.next(0, "mark").done();
        assertThat(quorum.count("mark")).isEqualTo(4);
    }

    @Test
    void aYoungNodeIsLeftOutWhileAMajorityIsOlder() {
        allOld();
        young(0);
        CompletableFuture<Boolean> call = tryLock();
        quorum.node(0).assertNothingOpen();
        quorum.next(1, "mark").done();
        quorum.next(2, "mark").done();
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);

        assertFailed(call, LockUnavailableException.class);
        assertThatThrownBy(() -> now(call))
                .hasMessageContaining("a: left out after a restart: up for 0 ms (expected: " + REQUIRED_MILLIS + " ms)")
                .hasMessageContaining("b: granted");
    }

    @Test
    void aYoungNodeCountsWhenItIsOldEnough() {
        allOld();
        young(0);
        quorum.runtime.advanceMillis(REQUIRED_MILLIS - 1);
        tryLock();
        quorum.node(0).assertNothingOpen();
        quorum.next(1, "mark").done();
        quorum.next(2, "mark").done();
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        quorum.doneAll();

        quorum.runtime.advanceMillis(1);
        tryLock();

        quorum.next(0, "mark").done();
        quorum.next(0, "propose");
    }

    @Test
    void theDifferenceOfTheClocksIsWaitedForToo() {
        allOld();
        young(0);
        quorum.node(1).epochMicros += SECONDS.toMicros(60);
        tryLock();
        quorum.doneMarks();
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        quorum.doneAll();
        quorum.runtime.advanceMillis(REQUIRED_MILLIS + 59_990);
        tryLock();
        quorum.node(0).assertNothingOpen();
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        quorum.doneAll();

        quorum.runtime.advanceMillis(11);
        tryLock();

        quorum.next(0, "mark");
    }

    @Test
    void aFleetThatIsYoungAsAWholeIsLetIn() {
        for (int i = 0; i < 3; i++) {
            young(i);
        }
        CompletableFuture<Boolean> call = tryLock();
        quorum.doneMarks();
        quorum.grantAll();

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aNodeThatDoesNotTellItsRunCounts() {
        allOld();
        quorum.node(0).run = ServerRun.UNKNOWN;
        CompletableFuture<Boolean> call = tryLock();
        quorum.next(0, "propose").granted(TOKEN);
        quorum.next(1, "mark").done();
        quorum.next(1, "propose").granted(TOKEN);

        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aNodeThatLostItsMarkerIsLeftOutAlsoInAYoungFleet() {
        for (int i = 0; i < 3; i++) {
            young(i);
        }
        holdOnceAndRelease();
        restart(0);
        Sent marked = quorum.next(0, "marked");
        tryLock();
        assertThat(quorum.node(0).open())
                .as("what it remembers is not known yet")
                .containsExactly(marked);
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        marked.reply(0L);
        quorum.doneAll();

        tryLock();
        quorum.node(0).assertNothingOpen();
        quorum.next(1, "propose").granted(TOKEN);
        quorum.next(2, "propose").granted(TOKEN);
        lock.unlockAsync(1);
        quorum.doneAll();

        quorum.runtime.advanceMillis(REQUIRED_MILLIS);
        tryLock();
        quorum.next(0, "mark").done();
        quorum.next(0, "propose");
    }

    @Test
    void aNodeThatKeptItsMarkerCountsInAYoungFleet() {
        for (int i = 0; i < 3; i++) {
            young(i);
        }
        holdOnceAndRelease();
        restart(0);
        quorum.next(0, "marked").reply(1L);

        tryLock();

        quorum.doneMarks();
        quorum.grantAll();
    }

    @Test
    void theMarkerIsLookedForUntilTheNodeAnswers() {
        for (int i = 0; i < 3; i++) {
            young(i);
        }
        holdOnceAndRelease();
        restart(0);
        quorum.next(0, "marked").disconnected();
        quorum.runtime.advanceMillis(500);

        quorum.next(0, "marked").reply(1L);

        tryLock();
        quorum.doneMarks();
        quorum.grantAll();
    }

    @Test
    void aReconnectToTheSameProcessChangesNothing() {
        allOld();
        holdOnceAndRelease();
        quorum.node(0).reconnected();

        tryLock();

        quorum.grantAll();
        assertThat(quorum.count("marked")).isZero();
    }

    @Test
    void aGrantByAnotherProcessThanTheOneThatWasAskedDoesNotCountAndIsUndone() {
        allOld();
        CompletableFuture<Boolean> call = tryLock();
        quorum.doneMarks();
        quorum.next(0, "propose")
                .writtenTo(new ServerRun("a2", quorum.runtime.nanos()))
                .granted(TOKEN);
        assertThat(quorum.next(0, "release").field()).startsWith("c:1:");
        quorum.next(1, "propose").granted(TOKEN);
        assertThat(call).as("one grant is no majority").isNotDone();
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);

        assertThatThrownBy(() -> now(call)).hasMessageContaining("a: it was restarted during the request");
    }

    @Test
    void twoNodesThatAreOneServerCountOnce() {
        allOld();
        quorum.node(2).run = quorum.node(0).run;
        tryLock();
        quorum.doneMarks();

        quorum.node(2).assertNothingOpen();
        quorum.next(0, "propose");
        quorum.next(1, "propose");
    }

    @Test
    void withoutTheGuardEveryNodeCounts() {
        ScriptedQuorum unguarded = new ScriptedQuorum(
                3, QuorumOptions.builder().restartGuard(false).build());
        for (int i = 0; i < 3; i++) {
            unguarded.node(i).run = new ServerRun("run" + i, old(unguarded));
        }
        unguarded.node(0).run = new ServerRun("run", unguarded.runtime.nanos());
        unguarded.lock().tryLockAsync(1);

        unguarded.grantAll();
        assertThat(unguarded.count("mark")).isZero();
    }

    private CompletableFuture<Boolean> tryLock() {
        return lock.tryLockAsync(1).toCompletableFuture();
    }

    private void holdOnceAndRelease() {
        tryLock();
        quorum.doneMarks();
        quorum.grantAll();
        lock.unlockAsync(1);
        quorum.doneAll();
    }

    private void allOld() {
        for (int i = 0; i < 3; i++) {
            quorum.node(i).run = new ServerRun(quorum.node(i).describe() + "1", old(quorum));
        }
    }

    private static long old(ScriptedQuorum quorum) {
        return quorum.runtime.nanos() - HOURS.toNanos(1);
    }

    private void young(int index) {
        quorum.node(index).run = new ServerRun(quorum.node(index).describe() + "1", quorum.runtime.nanos());
    }

    private void restart(int index) {
        quorum.runtime.advanceMillis(10);
        quorum.node(index).run = new ServerRun(quorum.node(index).describe() + "2", quorum.runtime.nanos());
        quorum.node(index).reconnected();
    }
}
