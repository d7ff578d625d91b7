package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RSignal;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.LibraryLog;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of all kinds whose slot is being moved, with the move held for two leases (row 15 of the fault matrix, rule 120). */
@Tag("proof")
class MovingKindsTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int PERMITS = 2;

    private final String name = namesOfOneSlot(1).get(0);
    private final int slot = slotOf(name);

    /** What is held. */
    enum Kind {
        FAIR,
        WRITE,
        READ,
        PERMIT;

        RLock lock(LockClient client, String name) {
            return switch (this) {
                case FAIR -> client.getFairLock(name);
                case WRITE -> client.getReadWriteLock(name).writeLock();
                case READ -> client.getReadWriteLock(name).readLock();
                case PERMIT -> throw new AssertionError("a permit is no lock");
            };
        }

        LockHold hold(LockClient client, String name) throws InterruptedException {
            return this == PERMIT
                    ? client.getPermitExpirableSemaphore(name).acquireHold()
                    : lock(client, name).acquire();
        }
    }

    /** Which of the slot's keys are at the target while the move is held. */
    enum Moved {
        NONE,
        LOCK,
        ALL_BUT_CLOCK
    }

    /** An outage would end its calls within a lease: a slot that moves is none. */
    private LockClient watched() {
        return connect(
                patient().lockOptions(Clients.watchdog(LEASE)).maxOutage(LEASE).build());
    }

    private SlotMove held(Moved moved) {
        SlotMove move = cluster.beginMove(slot, otherThan(cluster.masterOf(slot)));
        for (String key : move.keysLeft()) {
            boolean isClock = key.equals(clockOf(name));
            boolean isOfLock = key.endsWith("}") && !isClock;
            if (moved == Moved.ALL_BUT_CLOCK ? !isClock : moved == Moved.LOCK && isOfLock) {
                move.moveKey(key);
            }
        }
        return move;
    }

    private static void finish(SlotMove move) {
        move.moveKeys();
        move.finish();
    }

    private static void during(Duration time, Runnable check) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            check.run();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private long listeners(String channel) {
        try (RawRedis raw = cluster.masterOf(slot).connect()) {
            return Long.parseLong(raw.list("PUBSUB", "SHARDNUMSUB", channel).get(1));
        }
    }

    /** Nothing else deletes what outlives its users. */
    private void delete(String key) {
        try (RawRedis raw = cluster.masterOf(slot).connect()) {
            raw.command("DEL", key);
        }
    }

    /** It listens where the slot leaves: what is sent at the target is told there as well. */
    @Test
    void aCallThatAwaitsASignalHearsItWhereverTheSignalIs() throws Exception {
        RSignal signal = connect().getSignal(name);
        long before = signal.send();
        RSignal awaited = connect().getSignal(name);
        Background<OptionalLong> call =
                Background.call(() -> awaited.await(before, PATIENCE)).awaitParked();
        String key = Stored.key(name) + ":signal";
        eventually(() -> assertThat(listeners(key + ":free")).isEqualTo(1));
        SlotMove move = cluster.beginMove(slot, otherThan(cluster.masterOf(slot)));
        move.moveKey(key);

        long sent = System.nanoTime();
        signal.send();
        assertThat(call.result()).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(Duration.ofSeconds(2));
        finish(move);
        delete(key);
    }

    @ParameterizedTest
    @CsvSource({
        "FAIR, NONE",
        "FAIR, ALL_BUT_CLOCK",
        "WRITE, NONE",
        "WRITE, ALL_BUT_CLOCK",
        "READ, NONE",
        "READ, LOCK",
        "READ, ALL_BUT_CLOCK",
        "PERMIT, NONE",
        "PERMIT, ALL_BUT_CLOCK"
    })
    void aHoldOutlivesAMoveOfTwoLeasesAndIsReleasedInIt(Kind kind, Moved moved) throws Exception {
        LockClient client = watched();
        LockClient other = connect();
        if (kind == Kind.PERMIT) {
            client.getPermitExpirableSemaphore(name).trySetPermits(PERMITS);
        }
        LockHold hold = kind.hold(client, name);
        LockHold second = kind == Kind.READ || kind == Kind.PERMIT ? kind.hold(client, name) : hold;
        SlotMove move = held(moved);

        during(LEASE.multipliedBy(2), () -> {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(second.state()).isEqualTo(HoldState.HELD);
        });
        hold.extend(LEASE.multipliedBy(5));
        assertThat(hold.validFor()).isGreaterThan(LEASE.multipliedBy(4));
        if (kind != Kind.PERMIT) {
            assertThat(kind.lock(other, name).isLocked()).isTrue();
        }
        hold.close();
        if (second != hold) {
            assertThat(second.state()).isEqualTo(HoldState.HELD);
            second.close();
        }
        if (kind != Kind.PERMIT) {
            assertThat(kind.lock(other, name).isLocked()).isFalse();
        }
        finish(move);

        if (kind == Kind.PERMIT) {
            assertThat(other.getPermitExpirableSemaphore(name).availablePermits())
                    .isEqualTo(PERMITS);
            delete("holdfast:{" + name + "}:limit");
        } else {
            assertThat(kind.lock(other, name).isLocked()).isFalse();
            try (LockHold next =
                    other.getReadWriteLock(name).writeLock().tryAcquire().orElseThrow()) {
                assertThat(next.state()).isEqualTo(HoldState.HELD);
            }
        }
    }

    /** The script deletes the key of the readers, and the source ends it when it touches that again. */
    @Test
    void aReaderLeavesBesideAWaiterWhileAllKeysAreAtTheSource() throws Exception {
        LockHold hold = Kind.READ.hold(connect(), name);
        Background<Long> waiter = passing(connect());
        inQueue(1);
        SlotMove move = held(Moved.NONE);
        hold.close();
        finish(move);
        assertThat(waiter.result()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "ALL_BUT_CLOCK"})
    void whoWaitsForAFairLockGetsItAfterTheMoveInItsTurn(Moved moved) throws Exception {
        LockClient client = watched();
        LockClient other = watched();
        LockHold hold = client.getFairLock(name).acquire();
        Background<Long> first = passing(other);
        inQueue(1);
        Background<Long> second = passing(client);
        inQueue(2);
        SlotMove move = held(moved);
        hold.close();
        Background<Long> comesInIt = passing(other);
        during(LEASE.multipliedBy(2), () -> {
            assertThat(first.isDone()).isFalse();
            assertThat(second.isDone()).isFalse();
            assertThat(comesInIt.isDone()).isFalse();
        });
        finish(move);

        assertThat(second.result()).isGreaterThan(first.result());
        assertThat(comesInIt.result()).isGreaterThan(first.result());
    }

    /** Takes the lock in its turn, and gives it back: its token. */
    private Background<Long> passing(LockClient client) {
        return Background.call(() -> {
                    try (LockHold granted = client.getFairLock(name).acquire()) {
                        return granted.fencingToken();
                    }
                })
                .awaitParked();
    }

    private void inQueue(int calls) {
        eventually(() -> {
            try (RawRedis raw = cluster.masterOf(slot).connect()) {
                assertThat(raw.integer("ZCARD", "holdfast:{" + name + "}:queue"))
                        .isEqualTo(calls);
            }
        });
    }

    @Test
    void aWaitForTheEndOfAMoveIsSaidOnceInTheLog() throws Exception {
        LockClient client = connect();
        client.getFairLock(name).acquire().close();
        SlotMove move = held(Moved.NONE);
        try (LibraryLog log = new LibraryLog()) {
            Background<Long> first = passing(client);
            Background<Long> second = passing(client);
            eventually(() -> assertThat(log.lines("is being moved")).hasSize(1));
            during(Clients.COMMAND_TIMEOUT.multipliedBy(3), () -> assertThat(first.isDone() || second.isDone())
                    .isFalse());
            assertThat(log.lines("is being moved"))
                    .singleElement()
                    .asString()
                    .startsWith("WARN lock '" + name + "': its slot " + slot + " is being moved, as ")
                    .contains(cluster.addressOf(cluster.masterOf(slot)), "have waited ", " s for the end of that");
            finish(move);
            first.result();
            second.result();
        }
    }

    @Test
    void aWaitThatEndsInTheMoveSaysWhy() throws Exception {
        LockClient client = connect();
        client.getFairLock(name).acquire().close();
        SlotMove move = held(Moved.NONE);
        assertThatThrownBy(() -> client.getFairLock(name).tryAcquire(Duration.ofMillis(300)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("TRYAGAIN")
                .hasMessageContaining(name);
        finish(move);
        assertThat(client.getFairLock(name).isLocked()).isFalse();
    }

    /** Its place is given back in its own key, so it is in no other call's way after the move. */
    @Test
    void aWaiterThatGivesUpInTheMoveLeavesTheQueue() throws Exception {
        LockClient client = watched();
        LockClient other = connect();
        LockHold hold = client.getFairLock(name).acquire();
        RFuture<LockHold> waiter = other.getFairLock(name).acquireAsync();
        String queue = "holdfast:{" + name + "}:queue";
        eventually(() -> assertThat(keysIn(slot)).contains(queue));
        SlotMove move = held(Moved.NONE);
        assertThat(waiter.cancel(true)).isTrue();
        eventually(() -> assertThat(keysIn(slot)).doesNotContain(queue));
        hold.close();
        finish(move);
    }

    @Test
    void aLeaderLeadsThroughTheMove() throws Exception {
        LockClient client = watched();
        Leadership leads = client.getElection(name).campaign("one", new byte[] {1});
        SlotMove move = held(Moved.LOCK);
        during(LEASE.multipliedBy(2), () -> assertThat(leads.state()).isEqualTo(HoldState.HELD));
        finish(move);
        assertThat(connect().getElection(name).leader().map(Leader::id)).contains("one");
        leads.setValue(new byte[] {2});
        leads.resign();
        delete("holdfast:{" + name + "}:leader");
    }

    /** Each call finds the other one waiting when it gives the lock back, which it has had for so short a time that it hands it over. */
    @Test
    void aHandOverWithinAClientBecomesARelease() throws Exception {
        LockClient client = connect();
        RLock lock = client.getLock(name);
        lock.acquire().close();
        SlotMove move = held(Moved.NONE);
        long began = System.nanoTime();
        Callable<Long> passing = () -> {
            long token = 0;
            for (int i = 0; i < 20; i++) {
                try (LockHold hold = lock.acquire()) {
                    assertThat(hold.fencingToken()).isGreaterThan(token);
                    token = hold.fencingToken();
                }
            }
            return token;
        };
        Background<Long> one = Background.call(passing);
        Background<Long> two = Background.call(passing);

        assertThat(one.result()).isNotEqualTo(two.result());
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        finish(move);
    }
}
