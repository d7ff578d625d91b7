package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ClusterShape;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cluster whose nodes are upgraded one after the other, from 6.2 to 7.0: messages of a slot are sent to all nodes where its primary
 * is of the old version, and to the slot's own listeners where it is of the new one.
 */
@Tag("proof")
@ClusterShape(older = {0, 1, 2})
class RollingUpgradeTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(6);

    /** How far a move has come when a lock is released. */
    enum Stage {
        BEGUN,
        LOCK_MOVED,
        FINISHED
    }

    private final List<String> names = namesOfOneSlot(3);
    private final int slot = slotOf(names.get(0));

    private LockClient watched() {
        return connect(patient().lockOptions(Clients.watchdog(LEASE)).build());
    }

    @Test
    void holdsAndWaitersOutliveTheFailoverOfEachNodeToTheNewVersion() throws Exception {
        try (Workers workers = new Workers(this)) {
            LockClient client = watched();
            LockClient other = watched();
            for (String each : workers.names) {
                String name = nameBeside(each);
                RedisServer older = cluster.masterOf(slotOf(name));
                RedisServer newer = cluster.replicaOf(older);
                assertThat(older.version().isAtLeast(7, 0)).isFalse();
                assertThat(newer.version().isAtLeast(7, 0)).isTrue();
                LockHold hold = client.getLock(name).acquire();
                Background<LockHold> waiter =
                        Background.call(() -> other.getLock(name).acquire());
                eventually(() -> assertThat(classicListeners(older, name)).isOne());
                assertThat(shardListeners(older, name)).isZero();

                cluster.failOver(newer);
                eventually(() -> assertThat(shardListeners(newer, name)).isOne());
                eventually(() -> assertThat(classicListeners(older, name)).isZero());
                assertThat(waiter.isDone()).isFalse();
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
                hold.close();
                LockHold next = waiter.result(WOKEN);
                assertThat(next.fencingToken()).isGreaterThan(hold.fencingToken());
                next.close();
                workers.awaitTurns();
            }
            assertThat(workers.together).hasValue(0);
        }
    }

    /** Another name in the slot of a name. */
    private static String nameBeside(String name) {
        for (int i = 0; ; i++) {
            if (slotOf("beside-" + i) == slotOf(name)) {
                return "beside-" + i;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlotMovesToTheNewVersionWhileItsLocksAreInUse(Stage stage) throws Exception {
        RedisServer source = cluster.masterOf(slot);
        RedisServer target = cluster.replicaOf(otherThan(source));
        cluster.failOver(target);
        LockClient client = watched();
        LockClient other = watched();
        List<LockHold> holds = names.stream()
                .map(name -> Futures.get(client.getLock(name).acquireAsync()))
                .toList();
        List<Background<LockHold>> waiters = names.stream()
                .map(name -> Background.call(() -> other.getLock(name).acquire()))
                .toList();
        eventually(() -> assertThat(names)
                .allSatisfy(name -> assertThat(classicListeners(source, name)).isOne()));

        SlotMove move = cluster.beginMove(slot, target);
        if (stage == Stage.LOCK_MOVED) {
            names.forEach(name -> move.moveKey(Stored.key(name)));
        } else if (stage == Stage.FINISHED) {
            move.moveKeys();
            move.finish();
            eventually(() -> assertThat(names)
                    .allSatisfy(name -> assertThat(shardListeners(target, name)).isOne()));
        }
        long until = System.nanoTime() + LEASE.toNanos() * 3 / 2;
        eventually(() -> {
            assertThat(holds).allSatisfy(hold -> assertThat(hold.state()).isEqualTo(HoldState.HELD));
            assertThat(System.nanoTime() - until).isPositive();
        });
        for (int i = 0; i < names.size(); i++) {
            assertThat(waiters.get(i).isDone()).isFalse();
            holds.get(i).close();
            LockHold next = waiters.get(i).result(WOKEN);
            assertThat(next.fencingToken()).isGreaterThan(holds.get(i).fencingToken());
            next.close();
        }
        if (stage != Stage.FINISHED) {
            move.moveKeys();
            move.finish();
        }
        try (LockHold after = client.getLock(names.get(0)).acquire()) {
            assertThat(after.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static long classicListeners(RedisServer node, String name) {
        try (RawRedis raw = node.connect()) {
            return Stored.subscribers(raw, name);
        }
    }

    private static long shardListeners(RedisServer node, String name) {
        try (RawRedis raw = node.connect()) {
            return Stored.shardSubscribers(raw, name);
        }
    }
}
