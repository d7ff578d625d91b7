package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks that replicas confirm (rule 85), each by the replica of the primary that has its slot. */
@Tag("proof")
class ConfirmedClusterTest extends ClusterTest {

    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration AGES = Duration.ofSeconds(25);

    private LockClient confirmed(Duration timeout) {
        return connect(patient().waitForReplicas(1, timeout).build());
    }

    /** Names whose locks a primary has, each in a slot of its own. */
    private List<String> namesAt(RedisServer master, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; names.size() < count; i++) {
            if (cluster.masterOf(slotOf("at-" + i)) == master) {
                names.add("at-" + i);
            }
        }
        return names;
    }

    /** Asked in a way in which a replica tells of all slots, also of one that its primary has not got yet. */
    private static boolean isAt(RedisServer replica, String name) {
        try (RawRedis raw = replica.connect()) {
            return !raw.list("KEYS", Stored.key(name)).isEmpty();
        }
    }

    private static long waits(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.calls("wait");
        }
    }

    private static void awaitBlocked(RedisServer master) {
        try (RawRedis raw = master.connect()) {
            eventually(() -> assertThat(raw.clients())
                    .anyMatch(each ->
                            "wait".equals(each.get("cmd")) && each.get("flags").contains("b")));
        }
    }

    private static void isGranted(RLock lock) {
        eventually(() -> {
            try {
                assertThat(lock.tryLock()).isTrue();
            } catch (LockUnavailableException notYet) {
                throw new AssertionError("not yet", notYet);
            }
        });
        lock.unlock();
    }

    @Test
    void aLockOfEachPrimaryIsConfirmedByTheReplicaOfThatPrimary() throws Exception {
        LockClient client = confirmed(AGES);
        for (RedisServer master : cluster.masters()) {
            String name = namesAt(master, 1).get(0);
            long before = waits(master);
            RLock lock = client.getLock(name);
            assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
            assertThat(isAt(cluster.replicaOf(master), name)).isTrue();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            lock.unlock();
            assertThat(waits(master) - before).as("WAITs at %s", master).isEqualTo(1);
        }
    }

    @Test
    void aLockThatItsReplicaDoesNotConfirmIsRefusedAndNoOther() throws Exception {
        LockClient client = confirmed(BRIEF);
        RedisServer alone = cluster.masters().get(0);
        String refused = namesAt(alone, 1).get(0);
        isGranted(client.getLock(refused));
        RedisServer replica = cluster.replicaOf(alone);
        replica.pause();

        assertThatThrownBy(() -> client.getLock(refused).tryLock(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> assertThat(unavailable.reason())
                        .isEqualTo(FailureReason.NOREPLICAS))
                .hasMessageContaining("0 of 1 replica confirmed within 100 ms")
                .hasMessageContaining(cluster.addressOf(alone));
        for (RedisServer other : cluster.masters()) {
            if (other != alone) {
                isGranted(client.getLock(namesAt(other, 1).get(0)));
            }
        }
        replica.resume();
        isGranted(client.getLock(refused));
    }

    @Test
    void whileTheReplicaOfOneIsWaitedForLocksOfOthersAreGranted() throws Exception {
        LockClient client = confirmed(AGES);
        RedisServer slow = cluster.masters().get(0);
        RedisServer replica = cluster.replicaOf(slow);
        isGranted(client.getLock(namesAt(slow, 1).get(0)));
        replica.pause();
        RFuture<LockHold> waiting = client.getLock(namesAt(slow, 1).get(0)).acquireAsync();
        awaitBlocked(slow);
        assertThat(client.getLock(namesAt(otherThan(slow), 1).get(0)).tryLock()).isTrue();
        client.getLock(namesAt(otherThan(slow), 1).get(0)).unlock();
        assertThat(waiting.isDone()).isFalse();
        replica.resume();
        waiting.get(20, TimeUnit.SECONDS).close();
    }

    @Test
    void afterAFailoverTheReplicasOfTheNewPrimaryAreCounted() throws Exception {
        LockClient client = confirmed(AGES);
        RedisServer old = cluster.masters().get(0);
        String name = namesAt(old, 1).get(0);
        RLock elsewhere = client.getLock(namesAt(otherThan(old), 1).get(0));
        isGranted(client.getLock(name));
        isGranted(elsewhere);
        old.kill();
        RedisServer promoted = cluster.awaitOtherMaster(slotOf(name), old);

        eventually(() -> assertThatThrownBy(() -> client.getLock(name).tryLock(1, TimeUnit.SECONDS))
                .hasMessageContaining("0 of 1 replica is connected and in step"));
        isGranted(elsewhere);
        assertThat(waits(promoted)).isZero();
        old.restart();
        cluster.awaitSettled();
        isGranted(client.getLock(name));
        assertThat(waits(promoted)).isPositive();
    }

    /** The key that the client writes at the first primary moves along with the slot: there it needs another one. */
    @Test
    void aSlotThatHasMovedIsConfirmedByTheReplicaOfItsNewPrimary() throws Exception {
        LockClient client = confirmed(AGES);
        RedisServer source = cluster.masters().get(0);
        RedisServer target = otherThan(source);
        List<String> names = namesAt(source, 2);
        isGranted(client.getLock(names.get(0)));
        cluster.moveSlot(slotOf(names.get(0)), target);

        try (LockHold hold = client.getLock(names.get(0)).acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(isAt(cluster.replicaOf(target), names.get(0))).isTrue();
        }
        try (LockHold hold = client.getLock(names.get(1)).acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(isAt(cluster.replicaOf(source), names.get(1))).isTrue();
        }
    }

    @Test
    void inASlotThatIsBeingMovedLocksAreConfirmedWhereTheyAre() throws Exception {
        LockClient client = confirmed(AGES);
        List<String> names = namesOfOneSlot(2);
        int slot = slotOf(names.get(0));
        RedisServer source = cluster.masterOf(slot);
        RedisServer target = otherThan(source);
        for (String name : names) {
            isGranted(client.getLock(name));
        }
        RLock stays = client.getLock(names.get(0));
        stays.lock();
        SlotMove move = cluster.beginMove(slot, target);
        // The lock's keys are at the source still, which takes no other key in this slot.
        keysIn(slot).stream().filter(key -> key.startsWith("holdfast:wait:")).forEach(move::moveKey);

        Background<LockHold> next =
                Background.call(() -> client.getLock(names.get(0)).acquire()).awaitParked();
        stays.unlock();
        LockHold handedOver = next.result();
        LockHold taken = client.getLock(names.get(1)).acquire();
        assertThat(isAt(cluster.replicaOf(target), names.get(1))).isTrue();

        move.moveKeys();
        move.finish();
        cluster.awaitMaster(slot, target);
        handedOver.close();
        taken.close();
        for (String name : names) {
            isGranted(client.getLock(name));
        }
    }

    @Test
    void aGrantWhoseSlotHasAnotherPrimaryBeforeItIsConfirmedIsRefused() throws Exception {
        LockClient client = confirmed(AGES);
        List<String> names = namesOfOneSlot(2);
        int slot = slotOf(names.get(0));
        RedisServer source = cluster.masterOf(slot);
        RedisServer replica = cluster.replicaOf(source);
        isGranted(client.getLock(names.get(0)));
        replica.pause();
        RFuture<LockHold> waiting = client.getLock(names.get(0)).acquireAsync();
        awaitBlocked(source);
        cluster.moveSlot(slot, otherThan(source));
        // Now the client knows.
        assertThat(client.getLock(names.get(1)).isLocked()).isFalse();
        replica.resume();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("another server has taken the place of the one that granted the lock");
    }
}
