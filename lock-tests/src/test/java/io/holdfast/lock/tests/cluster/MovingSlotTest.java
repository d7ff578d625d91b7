package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plain locks whose slot is being moved, with the move held at a stage (rows 14, 15 and 17 of the fault matrix, rule 99). */
@Tag("proof")
class MovingSlotTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** How far a move has come when it is held. */
    enum Stage {
        BEGUN,
        CLOCK_MOVED
    }

    private final List<String> names = namesOfOneSlot(3);
    private final int slot = slotOf(names.get(0));

    private SlotMove held(Stage stage) {
        RedisServer source = cluster.masterOf(slot);
        SlotMove move = cluster.beginMove(slot, otherThan(source));
        if (stage == Stage.CLOCK_MOVED) {
            move.moveKey(clockOf(names.get(0)));
        }
        return move;
    }

    /** A free lock, with a token clock that is there already. */
    private RLock used(LockClient client, String name) {
        RLock lock = client.getLock(name);
        lock.lock();
        lock.unlock();
        return lock;
    }

    private static LockHold hold(LockClient client, String name) {
        return Futures.get(client.getLock(name).acquireAsync());
    }

    @ParameterizedTest
    @EnumSource
    void aFreeLockIsTakenAndItsTokenIsLargerThanThoseBefore(Stage stage) throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        String name = names.get(0);
        long before;
        try (LockHold hold = client.getLock(name).acquire()) {
            before = hold.fencingToken();
        }
        SlotMove move = held(stage);

        LockHold during = client.getLock(name).acquire();
        assertThat(during.fencingToken()).isGreaterThan(before);
        assertThat(other.getLock(name).tryLock()).isFalse();
        during.close();
        LockHold again = other.getLock(name).acquire();
        assertThat(again.fencingToken()).isGreaterThan(during.fencingToken());

        move.moveKeys();
        move.finish();
        assertThat(again.state()).isEqualTo(HoldState.HELD);
        again.close();
        try (LockHold after = client.getLock(name).acquire()) {
            assertThat(after.fencingToken()).isGreaterThan(again.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource
    void heldAndWatchedLocksOutliveALongMove(Stage stage) throws Exception {
        LockClient client =
                connect(patient().lockOptions(Clients.watchdog(LEASE)).build());
        used(client, names.get(0));
        List<LockHold> holds = names.stream().map(name -> hold(client, name)).toList();
        SlotMove move = held(stage);
        move.moveKey(Stored.key(names.get(1)));
        LockClient other = connect();

        long until = System.nanoTime() + 2 * LEASE.toNanos();
        while (System.nanoTime() - until < 0) {
            for (String name : names) {
                assertThat(other.getLock(name).tryLock(50, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
        }
        assertThat(holds).allSatisfy(hold -> assertThat(hold.state()).isEqualTo(HoldState.HELD));
        move.moveKeys();
        move.finish();
        for (LockHold hold : holds) {
            hold.extend(LEASE);
            hold.close();
        }
    }

    @Test
    void aLockIsEnteredAgainAndReleasedWhereverItsKeyIs() throws Exception {
        LockClient client = connect();
        RLock stays = used(client, names.get(0));
        RLock moves = used(client, names.get(1));
        stays.lock();
        moves.lock();
        SlotMove move = held(Stage.BEGUN);
        move.moveKey(Stored.key(names.get(1)));

        for (RLock lock : List.of(stays, moves)) {
            lock.lock();
            lock.unlock();
            lock.unlock();
            assertThat(lock.isLocked()).isFalse();
        }
        move.moveKeys();
        move.finish();
    }

    @Test
    void aSearchFindsLocksWhereverTheirKeysAre() throws Exception {
        LockClient client = connect();
        List<LockHold> holds = names.stream().map(name -> hold(client, name)).toList();
        SlotMove move = held(Stage.BEGUN);
        move.moveKey(Stored.key(names.get(1)));

        try (Stream<LockInfo> locks = connect().locks(LockQuery.all())) {
            assertThat(locks.map(LockInfo::name)).containsExactlyInAnyOrderElementsOf(names);
        }
        move.moveKeys();
        move.finish();
        holds.forEach(LockHold::close);
    }

    /** And no message tells of it at the node where the waiter listens. */
    @Test
    void aWaiterIsWokenByForceWhereverTheKeyIs() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        String name = used(client, names.get(1)).getName();
        LockHold hold = hold(client, name);
        Background<LockHold> waiter =
                Background.call(() -> other.getLock(name).acquire()).awaitParked();
        SlotMove move = held(Stage.BEGUN);
        move.moveKey(Stored.key(name));

        long freed = System.nanoTime();
        assertThat(client.getLock(name).forceUnlock()).isTrue();
        LockHold granted = waiter.result();
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(Duration.ofSeconds(2));
        granted.close();
        eventually(() -> assertThat(hold.state()).isEqualTo(HoldState.LOST));
        move.moveKeys();
        move.finish();
    }

    /** The node that the slot is on its way to knew the hold, and the one that it leaves has not taken its place. */
    @Test
    void aHoldThatWasFreedByForceAtTheTargetIsNotLostToAnotherServer() throws Exception {
        LockClient client = connect();
        String name = used(client, names.get(1)).getName();
        LockHold hold = hold(client, name);
        List<LockLoss> lost = new CopyOnWriteArrayList<>();
        hold.onLost(lost::add);
        SlotMove move = held(Stage.BEGUN);
        move.moveKey(Stored.key(name));
        hold.ensure(Duration.ofMinutes(1));

        assertThat(connect().getLock(name).forceUnlock()).isTrue();
        assertThatThrownBy(() -> hold.ensure(Duration.ofMinutes(2))).isInstanceOf(LockLostException.class);
        eventually(() -> assertThat(lost).extracting(LockLoss::reason).containsExactly(LossReason.KEY_GONE));
        move.moveKeys();
        move.finish();
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterIsWokenByTheReleaseWhereverTheKeyIs(Stage stage) throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        for (String name : names.subList(0, 2)) {
            used(client, name);
        }
        List<LockHold> holds =
                names.subList(0, 2).stream().map(name -> hold(client, name)).toList();
        List<Background<LockHold>> waiters = names.subList(0, 2).stream()
                .map(name ->
                        Background.call(() -> other.getLock(name).acquire()).awaitParked())
                .toList();
        SlotMove move = held(stage);
        move.moveKey(Stored.key(names.get(1)));

        for (int i = 0; i < holds.size(); i++) {
            long released = System.nanoTime();
            holds.get(i).close();
            LockHold granted = waiters.get(i).result();
            // By the message: a look would come after five seconds.
            assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(2));
            granted.close();
        }
        move.moveKeys();
        move.finish();
    }

    @Test
    void aMoveThatIsCalledOffLeavesEverythingWhereItWas() throws Exception {
        LockClient client = connect();
        RLock lock = used(client, names.get(0));
        lock.lock();
        SlotMove move = held(Stage.BEGUN);
        lock.lock();
        move.callOff();
        lock.unlock();
        lock.unlock();
        assertThat(client.getLock(names.get(0)).tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void lockAfterLockIsTakenWhileOneSlotAfterTheOtherMoves() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        List<LockHold> first = Stream.of(names.get(0), names.get(1))
                .map(name -> hold(client, name))
                .toList();
        for (int round = 0; round < 6; round++) {
            cluster.moveSlot(slot, otherThan(cluster.masterOf(slot)));
            try (LockHold hold = other.getLock(names.get(2)).acquire()) {
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(client.getLock(names.get(2)).tryLock(1, TimeUnit.SECONDS))
                    .isTrue();
            client.getLock(names.get(2)).unlock();
        }
        first.forEach(LockHold::close);
    }
}
