package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.CountingFleet;
import io.holdfast.lock.tests.support.CountingProgram;
import io.holdfast.lock.tests.support.CountingProgram.Way;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rows 14 and 18: 16 threads of four processes count a value that a lock guards, and the primary of its slot is replaced, or the slot
 * moves. The value refuses a token that is not greater than those before.
 */
@Tag("proof")
class CountedClusterTest extends ClusterTest {

    private static final int PROCESSES = 4;

    private final int slot = slotOf(CountingProgram.LOCK);
    private CountingFleet fleet;

    @BeforeEach
    void begin() throws Exception {
        fleet = opening(new CountingFleet());
        for (int i = 0; i < PROCESSES; i++) {
            fleet.start(cluster.url(), Way.FENCED);
        }
        fleet.begin();
    }

    @Test
    void noUpdateIsLostInAFailoverByHandAndBack() throws Exception {
        RedisServer first = cluster.masterOf(slot);
        cluster.failOver(cluster.replicaOf(first));
        fleet.awaitTurnsOfEach();
        cluster.failOver(first);
        fleet.awaitTurnsOfEach();
        assertNothingIsLost();
    }

    /** Without the master's consent: what it has not told its replica is lost. */
    @Test
    void noUpdateIsLostInATakeover() throws Exception {
        cluster.takeOver(cluster.replicaOf(cluster.masterOf(slot)));
        fleet.awaitTurnsOfEach();
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsKilledAndComesBack() throws Exception {
        RedisServer old = cluster.masterOf(slot);
        old.kill();
        cluster.awaitOtherMaster(slot, old);
        fleet.awaitTurnsOfEach();
        old.restart();
        cluster.awaitSettled();
        fleet.awaitTurnsOfEach();
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsStoppedAndContinued() throws Exception {
        RedisServer old = cluster.masterOf(slot);
        LockClient client = connect(
                patient().lockOptions(Clients.watchdog(CountingProgram.LEASE)).build());
        List<LockHold> watched = oneOfEach().stream()
                .filter(name -> cluster.masterOf(slotOf(name)) != old)
                .map(name -> Futures.get(client.getLock(name).acquireAsync()))
                .toList();
        List<String> losses = new CopyOnWriteArrayList<>();
        watched.forEach(hold -> hold.onLost(loss -> losses.add(loss.name() + ": " + loss.detail())));
        long stopped = System.nanoTime();
        old.pause();
        cluster.awaitOtherMaster(slot, old);
        fleet.awaitTurnsOfEach();
        long longer =
                CountingProgram.LEASE.plus(CountingProgram.LEASE.dividedBy(2)).toNanos();
        eventually(() -> assertThat(System.nanoTime() - stopped).isGreaterThan(longer));
        old.resume();
        fleet.awaitTurnsOfEach();
        cluster.awaitSettled();
        fleet.awaitTurnsOfEach();
        assertThat(losses).isEmpty();
        for (LockHold hold : watched) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.close();
        }
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhileTheSlotMoves() throws Exception {
        for (int round = 0; round < 4; round++) {
            SlotMove move = cluster.beginMove(slot, otherThan(cluster.masterOf(slot)));
            fleet.awaitTurnsOfEach();
            move.moveKey(clockOf(CountingProgram.LOCK));
            fleet.awaitTurnsOfEach();
            move.moveKeys();
            move.finish();
            fleet.awaitTurnsOfEach();
        }
        assertNothingIsLost();
    }

    private void assertNothingIsLost() throws Exception {
        assertThat(fleet.lostUpdates()).isZero();
        try (LockHold hold = connect().getLock(CountingProgram.LOCK).acquire()) {
            hold.extend(Duration.ofSeconds(4));
        }
    }
}
