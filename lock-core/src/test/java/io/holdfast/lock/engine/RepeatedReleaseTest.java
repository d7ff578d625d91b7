package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Releases that are repeated at the next connection: where another process than the one that has confirmed them answers now, which
 * may have missed them (rule 128), and where none has confirmed them (rule 129).
 */
class RepeatedReleaseTest {

    private static final ServerRun FIRST = new ServerRun("first", 0);
    private static final ServerRun SECOND = new ServerRun("second", 0);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client;

    RepeatedReleaseTest() {
        backend.run = FIRST;
        client = EngineClient.over(
                backend, ClientOptions.builder().localHandOver(false).build(), "c");
    }

    // --- another process ---

    /** A thread has another field each time, whatever the keys are: what it holds by now stays. */
    @ParameterizedTest
    @EnumSource(KeyScheme.class)
    void whatOneProcessHasReleasedIsReleasedAtTheNext(KeyScheme scheme) {
        RLock lock =
                client.getLock("stock", LockOptions.builder().keyScheme(scheme).build());
        String released = taken(lock).field();
        unlock(lock);
        String held = taken(lock).field();

        moveTo(SECOND);

        backend.next("renew").done();
        Sent again = backend.next("release");
        assertThat(again.field()).isEqualTo(released).isNotEqualTo(held);
        again.gone();
        backend.assertNothingOpen();
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    @Test
    void theSameProcessHasNotForgotten() {
        RLock lock = client.getLock("stock");
        taken(lock);
        unlock(lock);

        moveTo(new ServerRun("first", 1));

        backend.assertNothingOpen();
    }

    @Test
    void aProcessThatIsBackIsToldOfWhatTheOtherHasConfirmed() {
        RLock lock = client.getLock("stock");
        String field = taken(lock).field();
        unlock(lock);
        moveTo(SECOND);
        backend.next("release").done();

        moveTo(FIRST);

        assertThat(backend.next("release").field()).isEqualTo(field);
    }

    /** A replica that has missed both has the first. */
    @Test
    void theFieldFromWhichALockWasHandedOverIsReleasedToo() {
        RLock lock = client.getLock("stock");
        String first = taken(lock).field();
        lock.lockAsync(2);
        lock.unlockAsync(1);
        Sent transfer = backend.next("transfer");
        transfer.granted(8);
        lock.unlockAsync(2);
        backend.next("release").done();

        moveTo(SECOND);

        assertThat(backend.open())
                .allMatch(sent -> sent.script().equals("release"))
                .extracting(Sent::field)
                .containsExactlyInAnyOrder(first, transfer.args.get(1));
    }

    /** Of a hold that lives nothing is repeated: a level that is lowered once more may be one that was taken since. */
    @Test
    void levelsAreNotRepeated() {
        RLock lock = client.getLock("stock");
        taken(lock);
        lock.lockAsync(1);
        backend.next("reenter").done();
        lock.unlockAsync(1);
        backend.next("release").done();

        moveTo(SECOND);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("renew");
    }

    @Test
    void aHoldThatWasGivenUpForAConditionIsReleasedToo() {
        RLock lock = client.getFairLock("stock");
        RCondition condition = lock.newCondition();
        lock.lockAsync(1);
        Sent held = backend.next("queue-join");
        held.reply(1L, 7L, 0L);
        condition.awaitAsync(1);
        backend.next("cond-await").reply(1L, 8L, 0L, 0L);
        lock.unlockAsync(1);
        backend.next("queue-part").reply(1L, 0L);

        moveTo(SECOND);

        assertThat(backend.open())
                .allMatch(sent -> sent.script().equals("queue-part"))
                .extracting(sent -> sent.args.get(1))
                .contains(held.args.get(1))
                .hasSize(2);
    }

    @Test
    void whatEndedLongAgoNoReplicaHasMissed() {
        RLock lock = client.getLock("stock");
        taken(lock);
        unlock(lock);
        backend.runtime.advanceMillis(30_001);

        moveTo(SECOND);

        backend.assertNothingOpen();
    }

    /** Who holds a lock, and who waits for one, has a server meanwhile. */
    @Test
    void aHundredAreRepeatedAtATimeTheLatestFirst() {
        for (int i = 0; i < 150; i++) {
            RLock lock = client.getLock("lock " + i);
            taken(lock);
            unlock(lock);
        }
        List<String> inOrder = List.copyOf(backend.releasedFields());

        moveTo(SECOND);

        assertThat(backend.open()).hasSize(100);
        backend.open().get(0).done();
        assertThat(backend.open()).hasSize(100);
        while (!backend.open().isEmpty()) {
            backend.open().get(0).done();
        }
        List<String> again = backend.releasedFields().subList(150, 300);
        assertThat(again.get(0)).isEqualTo(inOrder.get(149));
        assertThat(again).containsExactlyInAnyOrderElementsOf(inOrder);
    }

    /** Else a release frees a lock to another owner, and its holder, whose hold the new primary has missed as well, hears of that late. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allRoundsOfRenewalsGoAhead(boolean served) {
        RLock released = client.getLock("stock");
        taken(released);
        unlock(released);
        for (int i = 0; i < 250; i++) {
            taken(client.getLock("lock " + i));
        }

        moveTo(SECOND);

        for (int holds : List.of(100, 100)) {
            Sent round = backend.next("renew");
            assertThat(round.keys).hasSize(holds);
            assertThat(backend.open()).hasSize(1);
            if (served) {
                round.done();
            } else {
                round.fault(Fault.Kind.LOADING, false);
            }
        }
        assertThat(backend.open()).extracting(Sent::script).containsExactly("renew", "release");
        assertThat(backend.next("renew").keys).hasSize(50);
    }

    /** In a cluster a node has failed over, while another one stands still with its connections. */
    @Test
    void renewalsAtOtherNodesHoldUpNothing() {
        taken(client.getLock("hangs"));
        backend.runtime.advanceMillis(10_000);
        backend.next("renew");
        client.getLock("hangs as well").lockAsync(1);
        latest().granted(7);
        backend.runtime.advanceMillis(10_000);
        RLock lock = client.getLock("stock");
        lock.lockAsync(1);
        Sent acquire = latest();
        acquire.granted(7);
        lock.unlockAsync(1);
        latest().done();
        int slot = acquire.slots().iterator().next();
        Object other = new Object();
        backend.keeper = asked -> asked == slot ? other : backend;
        backend.run = SECOND;

        backend.led(slot);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("renew", "release");
        assertThat(latest().field()).isEqualTo(acquire.field());
    }

    /** A server that stands still answers none of the first hundred; the connection stands. */
    @Test
    void thoseWithoutAnAnswerKeepNoOtherWaiting() {
        for (int i = 0; i < 150; i++) {
            RLock lock = client.getLock("lock " + i);
            taken(lock);
            unlock(lock);
        }
        moveTo(SECOND);
        List<Sent> silent = backend.open();
        backend.runtime.advanceMillis(ClientOptions.defaults().commandTimeout().toMillis());

        silent.stream().filter(Sent::isDue).forEach(Sent::overdue);

        assertThat(backend.open()).hasSize(150);
    }

    /** A key that holds something else, or a node of a cluster that is away. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.Kind.class,
            names = {"UNREACHABLE", "WRONGTYPE"})
    void thoseThatFailKeepNoOtherWaiting(Fault.Kind kind) {
        for (int i = 0; i < 150; i++) {
            RLock lock = client.getLock("lock " + i);
            taken(lock);
            unlock(lock);
        }
        List<String> oldest = backend.releasedFields().subList(0, 50);
        moveTo(SECOND);
        List<Sent> failing = List.copyOf(backend.open());

        failing.forEach(sent -> sent.fault(kind, false));

        assertThat(backend.open()).extracting(Sent::field).containsExactlyInAnyOrderElementsOf(oldest);
        backend.open().forEach(sent -> sent.fault(kind, false));
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(2_000);
        assertThat(backend.open()).as("tried again, at as many places").hasSize(100);
        while (!backend.open().isEmpty()) {
            backend.open().get(0).done();
        }
        List<String> released = backend.releasedFields();
        assertThat(released.subList(300, released.size()))
                .as("each once more")
                .containsExactlyInAnyOrderElementsOf(released.subList(0, 150));
    }

    @Test
    void oneThatFailsUntilTheEndComesAtTheNextConnection() {
        RLock lock = client.getLock("stock");
        String field = taken(lock).field();
        unlock(lock);
        moveTo(SECOND);
        for (int i = 0; i < 60; i++) {
            List.copyOf(backend.open()).forEach(sent -> sent.fault(Fault.Kind.WRONGTYPE, false));
            backend.runtime.advanceMillis(2_000);
        }
        backend.assertNothingOpen();

        backend.lost();
        backend.reconnected();

        assertThat(backend.next("release").field()).isEqualTo(field);
    }

    /** Over a quorum a field may join a node again from which it was removed (rule 73). */
    @Test
    void aNodeOfAQuorumIsNotToldAgain() {
        ScriptedQuorum quorum = new ScriptedQuorum(3, QuorumOptions.defaults());
        quorum.nodes.forEach(node -> node.run = new ServerRun(node.describe(), -HOURS.toNanos(1)));
        RLock lock = quorum.lock();
        lock.lockAsync(1);
        quorum.nodes.forEach(RepeatedReleaseTest::isMarked);
        quorum.grantAll();
        quorum.nodes.forEach(RepeatedReleaseTest::isMarked);
        lock.unlockAsync(1);
        quorum.doneAll();

        quorum.node(0).lost();
        quorum.node(0).run = new ServerRun("second", -HOURS.toNanos(1));
        quorum.node(0).reconnected();

        isMarked(quorum.node(0));
        quorum.assertNothingOpen();
        assertThat(quorum.node(0).releasedFields()).hasSize(1);
    }

    private static void isMarked(ScriptedBackend node) {
        node.open().stream()
                .filter(sent -> sent.script().startsWith("mark"))
                .forEach(sent -> sent.reply(node.run.id()));
    }

    // --- no process ---

    /** The request waits in the socket of a server that stands still, for longer than its lease. */
    @Test
    void anUndoThatWasGivenUpIsSentAtTheNextConnection() {
        RLock lock = client.getLock("stock");
        lock.tryLockAsync(100, -1, MILLISECONDS, 1);
        Sent acquire = backend.next("acquire");
        breaksAndStaysAway(acquire, 40);
        assertThat(backend.open()).isEmpty();

        backend.reconnected();

        Sent undo = backend.next("release");
        assertThat(undo.field()).isEqualTo(acquire.field());
        undo.done();
        backend.lost();
        backend.reconnected();
        backend.assertNothingOpen();
    }

    /** Once more the server stands still for long. */
    @Test
    void anUndoIsSentUntilItIsConfirmed() {
        RLock lock = client.getLock("stock");
        lock.tryLockAsync(100, -1, MILLISECONDS, 1);
        Sent acquire = backend.next("acquire");
        breaksAndStaysAway(acquire, 40);
        backend.reconnected();
        breaksAndStaysAway(backend.next("release"), 40);

        backend.reconnected();

        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
    }

    /** The connection broke at the end of its time: it was given up at the connection that is there by now. */
    @Test
    void anUndoThatIsGivenUpBehindAReconnectIsSentAtOnce() {
        RLock lock = client.getLock("stock");
        lock.tryLockAsync(100, -1, MILLISECONDS, 1);
        backend.next("acquire").overdue();
        backend.runtime.advanceMillis(40_000);
        backend.open().forEach(Sent::overdue);
        backend.lost();
        backend.reconnected();

        List.copyOf(backend.open()).forEach(Sent::disconnected);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("release");
    }

    /** What others wait for, and thousands of fields, is none of its business. */
    @Test
    void anUndoThatIsGivenUpBringsNoOtherForward() {
        client.getLock("stock").tryLockAsync(100, -1, MILLISECONDS, 1);
        backend.next("acquire").overdue();
        Sent undo = latest();
        backend.runtime.advanceMillis(40_000);
        undo.overdue();
        int before = backend.open().size();
        RLock other = client.getLock("other");
        other.lockAsync(1);
        latest().granted(7);
        other.unlockAsync(1);
        latest().done();
        for (int i = 0; i < 150; i++) {
            client.getLock("lock " + i).lockAsync(1);
            latest().granted(7);
        }
        moveTo(SECOND);

        undo.disconnected();

        assertThat(backend.open().subList(before - 1, backend.open().size()))
                .extracting(Sent::script)
                .containsExactly("renew", "release");
        assertThat(latest().field()).isEqualTo(undo.field());
    }

    private Sent latest() {
        return backend.open().get(backend.open().size() - 1);
    }

    private void breaksAndStaysAway(Sent sent, int seconds) {
        backend.lost();
        sent.disconnected();
        for (int i = 0; i < seconds; i++) {
            backend.runtime.advanceMillis(SECONDS.toMillis(1));
            List.copyOf(backend.open()).forEach(open -> open.fault(Fault.Kind.UNREACHABLE, false));
        }
    }

    private Sent taken(RLock lock) {
        lock.lockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private void unlock(RLock lock) {
        lock.unlockAsync(1);
        backend.next("release").done();
    }

    private void moveTo(ServerRun run) {
        backend.lost();
        backend.run = run;
        backend.reconnected();
    }
}
