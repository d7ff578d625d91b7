package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.HolderProgram;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are killed, or stand still, in the queue, at their turn, and while they hold (rules 42, 43, 46). */
@Tag("proof")
class DeadWaiterTest extends QueueTest {

    /** A claim window of a second, and time for a busy machine. */
    private static final Duration ONE_WINDOW = Duration.ofMillis(1_500);

    private static final Duration TWO_WINDOWS = Duration.ofMillis(2_500);
    private static final int LEASE_MILLIS = 2_000;

    @ParameterizedTest
    @ValueSource(strings = {"fair", "read", "write"})
    void aWaiterThatWasKilledCostsOneClaimWindow(String kind) throws Exception {
        LockHold first = fair(client).acquire();
        ChildJvm dead = waitingProcess(kind);
        RFuture<LockHold> next = queued(writing(other));
        awaitSubscribers(2);
        awaitQuiet();
        dead.close();
        assertThat(untilGranted(first, next)).isLessThan(ONE_WINDOW);
    }

    /** Each of the two readers that come next is of a process of its own, and both have died. */
    @Test
    void deadReadersThatAreAdmittedTogetherCostOneClaimWindow() throws Exception {
        LockHold first = fair(client).acquire();
        ChildJvm one = waitingProcess("read");
        ChildJvm two = waitingProcess("read");
        RFuture<LockHold> next = queued(writing(other));
        awaitSubscribers(3);
        awaitQuiet();
        one.close();
        two.close();
        assertThat(untilGranted(first, next)).isLessThan(ONE_WINDOW);
    }

    /** A reservation lowers the presence of its client: when the window is over the client's other calls are dropped (rule 46). */
    @Test
    void theCallsOfADeadClientCostOneClaimWindowTogether() throws Exception {
        LockHold first = fair(client).acquire();
        raw.command("ZADD", KEY + ":queue", "1", "wdead:h1", "2", "wdead:h2", "3", "wdead:h3");
        String now = raw.list("TIME").get(0);
        raw.command("ZADD", KEY + ":seen", (Long.parseLong(now) + 15) + "000", "dead");
        RFuture<LockHold> next = queued(fair(other));
        awaitSubscribers(1);
        awaitQuiet();
        assertThat(untilGranted(first, next)).isLessThan(ONE_WINDOW);
    }

    /** A request that comes after a reservation makes its client present again, and then it dies (rule 46). */
    @Test
    void aWaiterThatHadAskedAgainCostsTwoClaimWindows() throws Exception {
        LockHold first = fair(client).acquire();
        ChildJvm dead = waitingProcess("fair");
        String deadClient = waiting().get(0).substring(1).replaceFirst(":.*", "");
        raw.command("ZADD", KEY + ":queue", "2", "w" + deadClient + ":h99");
        RFuture<LockHold> next = queued(fair(other));
        awaitSubscribers(2);
        awaitQuiet();
        dead.close();
        long freed = System.nanoTime();
        first.close();
        String now = raw.list("TIME").get(0);
        raw.command("ZADD", KEY + ":seen", (Long.parseLong(now) + 15) + "000", deadClient);
        LockHold granted = get(next);
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(TWO_WINDOWS);
        granted.close();
    }

    /** It comes too late for its reservation, and stands at the end again: two never hold the lock at once. */
    @ParameterizedTest
    @ValueSource(strings = {"fair", "write"})
    void aProcessThatStandsStillAtItsTurnLosesItAndNothingElse(String kind) throws Exception {
        LockHold first = fair(client).acquire();
        ChildJvm frozen = waitingProcess(kind);
        RFuture<LockHold> next = queued(fair(other));
        RFuture<LockHold> last = queued(fair(client));
        awaitSubscribers(3);
        awaitQuiet();
        frozen.pause();
        long freed = System.nanoTime();
        first.close();
        LockHold granted = get(next);
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(ONE_WINDOW);
        frozen.resume();
        // The one that waits here, and behind it the process.
        awaitWaiting(2);
        long token = granted.fencingToken();
        granted.close();
        LockHold before = get(last);
        long tokenBefore = before.fencingToken();
        before.close();
        assertThat(tokenBefore).isGreaterThan(token);
        assertThat(Long.parseLong(frozen.hear("queue "))).isGreaterThan(tokenBefore);
        frozen.ask("release");
    }

    /** Only the call whose turn came loses it: the places of the others are passed over until the process goes on (rule 131). */
    @Test
    void theOtherCallsOfAStoppedProcessKeepTheirPlaces() throws Exception {
        LockHold first = fair(client).acquire();
        enqueue(1, "still:1:1");
        enqueue(2, "still:2:2");
        enqueue(3, "still:3:3");
        isPresent("still");
        RFuture<LockHold> next = queued(fair(other));
        RFuture<LockHold> last = queued(fair(client));
        awaitSubscribers(2);
        awaitQuiet();
        first.close();
        LockHold granted = get(next);
        assertThat(waiting().subList(0, 2)).containsExactly("wstill:2:2", "wstill:3:3");
        isPresent("still");
        granted.close();
        eventually(() -> assertThat(raw.map("HGETALL", KEY)).containsKey("still:2:2"));
        get(last).close();
    }

    @Test
    void placesThatWerePassedOverForLongAreDropped() {
        enqueue(1, "gone:1:1");
        enqueue(2, "still:1:1");
        raw.command("ZADD", KEY + ":seen", Long.toString(nowMillis() - 15_100), "gone");
        raw.command("ZADD", KEY + ":seen", Long.toString(nowMillis() - 10_000), "still");

        assertThat(fair(client).tryLock()).isTrue();

        assertThat(waiting()).containsExactly("wstill:1:1");
        fair(client).unlock();
    }

    /** It wakes before its claim window is over: the turn is still its own. */
    @Test
    void aProcessThatStandsStillForLessThanAClaimWindowKeepsItsTurn() throws Exception {
        LockHold first = fair(client).acquire();
        ChildJvm frozen = waitingProcess("fair");
        RFuture<LockHold> next = queued(fair(other));
        awaitSubscribers(2);
        awaitQuiet();
        frozen.pause();
        first.close();
        frozen.resume();
        frozen.hear("queue ");
        assertThat(waiting()).hasSize(1);
        frozen.ask("release");
        get(next).close();
    }

    @Test
    void aHolderThatWasKilledCostsItsLease() throws Exception {
        ChildJvm dead = process();
        dead.ask("acquire " + NAME + " " + LEASE_MILLIS);
        RFuture<LockHold> next = queued(fair(client));
        RFuture<LockHold> behind = queued(fair(other));
        awaitListening();
        long died = System.nanoTime();
        dead.close();
        LockHold granted = get(next);
        assertThat(Duration.ofNanos(System.nanoTime() - died)).isLessThan(Duration.ofMillis(LEASE_MILLIS + 1_000));
        granted.close();
        get(behind).close();
    }

    /**
     * A reader is admitted beside another and is dead; the deputy asks for another reason before the claim window is over, and is told
     * of the other's lease. The other leaves, and no message tells when the window is over.
     */
    @Test
    void aLookBeforeTheClaimWindowIsOverDoesNotStandForTheDeputys() throws Exception {
        LockHold reader = reading(client).acquire();
        RFuture<LockHold> next = queued(writing(other));
        awaitSubscribers(1);
        awaitQuiet();
        String deputy = waiting().get(0).substring(1);
        raw.command("ZADD", KEY + ":readers", Long.toString(nowMillis() + 1_000), "dead:h1");
        raw.command("PUBLISH", KEY + ":free", "dead:h1;" + deputy);
        raw.command("PUBLISH", KEY + ":free", "0");
        awaitQuiet();
        assertThat(untilGranted(reader, next)).isLessThan(ONE_WINDOW);
    }

    private void enqueue(int place, String field) {
        raw.command("ZADD", KEY + ":queue", Integer.toString(place), "w" + field);
    }

    private void isPresent(String ofClient) {
        raw.command("ZADD", KEY + ":seen", Long.toString(nowMillis() + 15_000), ofClient);
    }

    private ChildJvm process() throws IOException, InterruptedException {
        ChildJvm child = closing(ChildJvm.start(HolderProgram.class, redis.url()));
        child.hear("ready");
        return child;
    }

    /** A process whose call has its place in the queue. */
    private ChildJvm waitingProcess(String kind) throws IOException, InterruptedException {
        ChildJvm child = process();
        int before = waiting().size();
        child.say("queue " + kind + " " + NAME);
        awaitWaiting(before + 1);
        return child;
    }

    private static Duration untilGranted(LockHold holder, RFuture<LockHold> next) {
        long freed = System.nanoTime();
        holder.close();
        LockHold granted = get(next);
        Duration waited = Duration.ofNanos(System.nanoTime() - freed);
        granted.close();
        return waited;
    }
}
