package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master that is killed, stopped, continued or replaced, while locks of all masters are in use (rows 18 and 19 of the fault matrix). */
@Tag("proof")
class ReplacedMasterTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    @Test
    void locksOfAKilledMasterAreServedByItsReplicaAndOthersGoOn() throws Exception {
        try (Workers workers = new Workers(this)) {
            RedisServer master = cluster.masterOf(slotOf(workers.names.get(0)));
            int slot = slotOf(workers.names.get(0));
            master.kill();
            cluster.awaitOtherMaster(slot, master);
            workers.awaitTurns();
            assertThat(workers.together).hasValue(0);
            master.restart();
            cluster.awaitSettled();
            workers.awaitTurns();
        }
    }

    @Test
    void noWatchedLockOfAnotherMasterIsLostWhileOneIsStopped() throws Exception {
        LockClient client = connect(
                patient().lockOptions(Clients.watchdog(Duration.ofSeconds(6))).build());
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            holds.add(Futures.get(client.getLock("watched-" + i).acquireAsync()));
        }
        RedisServer stopped = cluster.masterOf(slotOf("watched-0"));
        List<LockHold> others = holds.stream()
                .filter(hold -> cluster.masterOf(slotOf(hold.name())) != stopped)
                .toList();
        List<String> lost = new CopyOnWriteArrayList<>();
        others.forEach(hold -> hold.onLost(loss -> lost.add(loss.name() + ": " + loss.detail())));
        stopped.pause();
        try {
            cluster.awaitOtherMaster(slotOf("watched-0"), stopped);
            long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .atMost(PATIENCE)
                    .failFast("a lock of another master was lost", () -> assertThat(lost)
                            .isEmpty())
                    .until(() -> System.nanoTime() - until > 0);
        } finally {
            stopped.resume();
        }
        cluster.awaitSettled();
        for (LockHold hold : others) {
            hold.close();
        }
        for (LockHold hold : holds) {
            if (!others.contains(hold)) {
                hold.releaseAsync()
                        .handle((done, failure) -> true)
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    @Test
    void aStoppedMasterThatIsContinuedIsNotAskedAgain() throws Exception {
        try (Workers workers = new Workers(this)) {
            int slot = slotOf(workers.names.get(0));
            RedisServer master = cluster.masterOf(slot);
            master.pause();
            try {
                cluster.awaitOtherMaster(slot, master);
                workers.awaitTurns();
            } finally {
                master.resume();
            }
            cluster.awaitSettled();
            workers.awaitTurns();
            assertThat(workers.together).hasValue(0);
        }
    }

    /** No replica takes over at first: so it is not since a map names another master that the connection is closed. */
    @Test
    void theConnectionToAMasterThatHasFailedIsClosedAtOnce() throws Exception {
        List<ConnectionEvent> lost = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void connection(ConnectionEvent event) {
                if (event.change() == Change.DOWN) {
                    lost.add(event);
                }
            }
        };
        LockClient client = connect(patient()
                .heartbeat(Duration.ofSeconds(30))
                .commandTimeout(PATIENCE)
                .maxOutage(PATIENCE.multipliedBy(2))
                .lockOptions(LockOptions.builder().listener(listener).build())
                .build());
        List<String> names = oneOfEach();
        names.forEach(name -> assertThat(client.getLock(name).isLocked()).isFalse());
        int slot = slotOf(names.get(0));
        RedisServer master = cluster.masterOf(slot);
        RedisServer other = cluster.masterOf(slotOf(names.get(1)));
        RedisServer replica = cluster.replicaOf(master);
        mayTakeOver(replica, false);
        master.pause();
        RFuture<LockHold> inFlight = client.getLock(names.get(0)).acquireAsync();
        awaitDown(other);
        // It hears that the cluster is down, for which the client asks for a map.
        RFuture<LockHold> elsewhere = client.getLock(names.get(1)).acquireAsync();
        eventually(() -> assertThat(lost).anySatisfy(event -> {
            assertThat(event.node()).isEqualTo(cluster.addressOf(master));
            assertThat(event.detail()).hasValueSatisfying(why -> assertThat(why).contains("calls this node failed"));
        }));

        mayTakeOver(replica, true);
        cluster.awaitOtherMaster(slot, master);
        long served = System.nanoTime();
        Futures.get(inFlight).close();
        assertThat(Duration.ofNanos(System.nanoTime() - served)).isLessThan(Duration.ofSeconds(1));
        Futures.get(elsewhere).close();
        master.resume();
        cluster.awaitSettled();
    }

    @Test
    void callsAreRepeatedWhileTheClusterIsDownUntilTheirDeadline() throws Exception {
        LockClient client = connect();
        Duration limit = Duration.ofMillis(500);
        List<String> names = oneOfEach();
        int slot = slotOf(names.get(0));
        RedisServer master = cluster.masterOf(slot);
        RedisServer other = cluster.masterOf(slotOf(names.get(1)));
        RedisServer replica = cluster.replicaOf(master);
        mayTakeOver(replica, false);
        master.kill();
        awaitDown(other);
        Background<LockHold> waiter =
                Background.call(() -> client.getLock(names.get(1)).acquire());
        long began = System.nanoTime();
        assertThatThrownBy(() -> client.getLock(names.get(2)).tryAcquire(limit))
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> assertThat(unavailable.reason())
                        .isEqualTo(FailureReason.CLUSTERDOWN));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(limit);
        assertThat(waiter.isDone()).isFalse();

        mayTakeOver(replica, true);
        cluster.awaitOtherMaster(slot, master);
        waiter.result(WOKEN).close();
        master.restart();
        cluster.awaitSettled();
    }

    private static void mayTakeOver(RedisServer replica, boolean may) {
        try (RawRedis raw = replica.connect()) {
            raw.command("CONFIG", "SET", "cluster-replica-no-failover", may ? "no" : "yes");
        }
    }

    /** Waits until a master refuses calls for slots of its own, since those of another one are served by none. */
    private static void awaitDown(RedisServer master) {
        eventually(() -> {
            try (RawRedis raw = master.connect()) {
                assertThat(raw.text("CLUSTER", "INFO")).contains("cluster_state:fail");
            }
        });
    }

    @Test
    void aFailoverByHandCostsNoLock() throws Exception {
        try (Workers workers = new Workers(this)) {
            int slot = slotOf(workers.names.get(0));
            RedisServer replica = cluster.replicaOf(cluster.masterOf(slot));
            cluster.failOver(replica);
            cluster.awaitMaster(slot, replica);
            workers.awaitTurns();
            assertThat(workers.together).hasValue(0);
        }
    }

    /** The client has heard of the master itself that it was a replica, which it is no more. */
    @Test
    void aMasterThatWasAReplicaMeanwhileIsAskedAgain() throws Exception {
        LockClient client = connect();
        int slot = slotOf("job");
        RedisServer master = cluster.masterOf(slot);
        RedisServer replica = cluster.replicaOf(master);
        client.getLock("job").acquire().close();
        cluster.failOver(replica);
        eventually(() -> assertThat(client.connections())
                .noneMatch(connection -> connection.node().equals(cluster.addressOf(master))));
        cluster.failOver(master);
        LockHold hold = Futures.get(client.getLock("job").acquireAsync());
        assertThat(cluster.masterOf(slot)).isEqualTo(master);
        hold.close();
    }

    /** No renewal would ever find out that a fixed lease is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHoldThatTheNewMasterDoesNotKnowIsLost(boolean isSlotOfOtherCallsMet) throws Exception {
        LockClient client = connect();
        List<LockLoss> lost = new CopyOnWriteArrayList<>();
        RedisServer master = cluster.masterOf(slotOf("unheard"));
        RedisServer replica = cluster.replicaOf(master);
        String other = busyAt(master);
        LockHold hold = client.getLock("unheard").withLease(Duration.ofHours(1)).acquire();
        hold.onLost(lost::add);
        forget(replica, Stored.key("unheard"));
        master.kill();
        cluster.takeOver(replica);
        eventually(() -> {
            if (isSlotOfOtherCallsMet) {
                client.getLock(other).acquireAsync().thenAccept(LockHold::close);
            }
            assertThat(lost).extracting(LockLoss::reason).containsExactly(LossReason.FAILED_OVER);
        });
        master.restart();
        cluster.awaitSettled();
    }

    /** Another lock of a master, in a slot of its own. */
    private String busyAt(RedisServer master) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "busy-" + i)
                .filter(name -> cluster.masterOf(slotOf(name)) == master)
                .findFirst()
                .orElseThrow();
    }

    /** As if the replica had not heard yet what its master has granted. */
    private static void forget(RedisServer replica, String key) {
        try (RawRedis raw = replica.connect()) {
            eventually(() -> assertThat(raw.list("KEYS", "*")).contains(key));
            raw.command("CONFIG", "SET", "replica-read-only", "no");
            raw.command("FLUSHALL");
            raw.command("CONFIG", "SET", "replica-read-only", "yes");
        }
    }

    /** The new master has not heard of the release: its client releases the lock there once more (rule 128). */
    @Test
    void aLockThatTheOldMasterReleasedLastIsFreeAtTheNewOne() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        RedisServer master = cluster.masterOf(slotOf("job"));
        RedisServer replica = cluster.replicaOf(master);
        String busy = busyAt(master);
        LockHold hold = client.getLock("job", Clients.watchdog(LEASE)).acquire();
        eventually(() -> assertThat(isAt(replica, "job")).isTrue());
        cutOff(replica, master);
        hold.release();
        assertThat(isAt(replica, "job")).isTrue();

        cluster.takeOver(replica);

        long began = System.nanoTime();
        // By its next call the client hears of the new master.
        client.getLock(busy).acquire().close();
        other.getLock("job").acquire().close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
    }

    /** Asked in a way in which a replica tells of all slots. */
    private static boolean isAt(RedisServer replica, String name) {
        try (RawRedis raw = replica.connect()) {
            return raw.list("KEYS", "*").contains(Stored.key(name));
        }
    }

    /** Ends the replication, which the replica can't begin again: its master knows no such password. */
    private static void cutOff(RedisServer replica, RedisServer master) {
        try (RawRedis there = replica.connect();
                RawRedis here = master.connect()) {
            there.command("CONFIG", "SET", "masterauth", "another");
            here.command("CLIENT", "KILL", "TYPE", "replica");
            eventually(() -> assertThat(there.info("replication")).containsEntry("master_link_status", "down"));
        }
    }

    @Test
    void aTakeoverIsFollowed() throws Exception {
        try (Workers workers = new Workers(this)) {
            int slot = slotOf(workers.names.get(0));
            RedisServer replica = cluster.replicaOf(cluster.masterOf(slot));
            cluster.takeOver(replica);
            cluster.awaitMaster(slot, replica);
            workers.awaitTurns();
        }
    }

    @Test
    void slotsThatMoveUnderLoadKeepTheirLocks() throws Exception {
        try (Workers workers = new Workers(this)) {
            for (int round = 0; round < 5; round++) {
                for (String name : workers.names) {
                    int slot = slotOf(name);
                    cluster.moveSlot(slot, otherThan(cluster.masterOf(slot)));
                }
                workers.awaitTurns();
            }
            assertThat(workers.together).hasValue(0);
            assertThat(workers.failures).hasValue(0);
        }
    }
}
