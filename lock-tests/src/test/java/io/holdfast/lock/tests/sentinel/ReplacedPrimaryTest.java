package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 10, 12 and 13: what becomes of holds and waiters when Sentinels replace the primary. */
@Tag("proof")
class ReplacedPrimaryTest extends SentinelTest {

    private static final LockOptions LONG_LEASED = Clients.watchdog(LONG_LEASE);

    /** How a primary ends. */
    enum End {
        KILLED,
        STOPPED;

        void of(RedisServer primary) {
            if (this == KILLED) {
                primary.kill();
            } else {
                primary.pause();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHoldThatTheNewPrimaryKnowsGoesOn(End end) throws Exception {
        LockHold hold = connect().getLock("stock", LONG_LEASED).acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        awaitReplicated("stock");
        RedisServer old = group.primary();
        end.of(old);
        RedisServer now = group.awaitOtherPrimary(old);
        eventually(() -> assertThat(connections(now)).hasSizeGreaterThanOrEqualTo(3));

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(waiting.isDone()).isFalse();
        long token = hold.fencingToken();
        hold.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
            assertThat(has(now, "stock")).isTrue();
        }
    }

    /** A third of this lease is minutes: only the look at the reconnect can tell it in time. */
    @ParameterizedTest
    @EnumSource
    void aHoldThatTheNewPrimaryNeverGotIsToldAtOnce(End end) throws Exception {
        Recorder recorder = new Recorder();
        LockOptions recorded = LONG_LEASED.toBuilder().listener(recorder).build();
        LockHold hold = connect().getLock("stock", recorded).acquire();
        long token = hold.fencingToken();
        RLock held = connect().getLock("by thread", LONG_LEASED);
        held.lock();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        awaitReplicated("by thread");
        forgetAtReplicas("stock");
        RedisServer old = group.primary();
        end.of(old);

        LossReason reason = Futures.get(hold.lost().toCompletableFuture()).reason();
        assertThat(reason).isEqualTo(LossReason.FAILED_OVER);
        assertThatThrownBy(hold::release)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossReason())
                        .isEqualTo(LossReason.FAILED_OVER));
        assertThatThrownBy(held::unlock)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossReason())
                        .isEqualTo(LossReason.FAILED_OVER));
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
        eventually(() -> assertThat(recorder.heard()).contains("lost FAILED_OVER"));
        assertThat(recorder.lost()).hasSize(1);
    }

    /** No renewal would ask for it, ever. */
    @Test
    void aFixedLeaseThatTheNewPrimaryNeverGotIsToldAtOnce() throws Exception {
        LockHold fixed = connect().getLock("stock").withLease(LONG_LEASE).acquire();
        long token = fixed.fencingToken();
        forgetAtReplicas("stock");
        group.primary().kill();
        LossReason reason = Futures.get(fixed.lost().toCompletableFuture()).reason();
        assertThat(reason).isEqualTo(LossReason.FAILED_OVER);
        try (LockHold next = connect().getLock("stock").acquire()) {
            assertThat(next.fencingToken()).isGreaterThan(token);
            assertThatThrownBy(fixed::release).isInstanceOf(LockLostException.class);
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void holdsAndWaitersOutliveThreeFailoversInARow() throws Exception {
        LockClient holder = connect();
        LockHold hold = holder.getLock("stock", LONG_LEASED).acquire();
        long token = hold.fencingToken();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        for (int i = 0; i < 2; i++) {
            awaitReplicated("stock");
            RedisServer now = group.failOver();
            eventually(() -> assertThat(connections(now)).hasSizeGreaterThanOrEqualTo(3));
        }
        RedisServer second = group.primary();
        group.servers().stream().filter(server -> server != second).forEach(group::follow);
        group.awaitSettled();
        awaitReplicated("stock");
        second.kill();
        group.awaitOtherPrimary(second);

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.fencingToken()).isEqualTo(token);
        assertThat(waiting.isDone()).isFalse();
        hold.release();
        Futures.get(waiting).release();
    }

    @Test
    void aSwitchIsNoFaultInTheLog() {
        LockClient client = connect();
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        OurConnections.awaitNoneAt(old);
        group.follow(old);
        client.getLock("stock").lock();
        assertThat(has(now, "stock")).isTrue();
        client.getLock("stock").unlock();
        assertThat(log.lines("The primary of mymaster is 127.0.0.1:" + now.port() + " now"))
                .hasSize(1)
                .allMatch(line -> line.startsWith("INFO"));
        assertThat(log.lines("WARN")).isEmpty();
    }

    /** While the primary is stopped, many calls are under way; each of them ends, and the locks are of use afterwards. */
    @Test
    void callsInFlightAtTheSwitchEndAndLeaveNothing() throws Exception {
        LockClient client = connect();
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            holds.add(client.getLock("held " + i).acquire());
        }
        awaitReplicated("held 49");
        RedisServer old = group.primary();
        old.pause();
        List<RFuture<Void>> releases =
                holds.stream().map(LockHold::releaseAsync).toList();
        List<RFuture<LockHold>> grants = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            grants.add(client.getLock("new " + i).acquireAsync());
        }
        RedisServer now = group.awaitOtherPrimary(old);
        for (RFuture<LockHold> grant : grants) {
            LockHold hold = Futures.get(grant);
            assertThat(has(now, hold.name())).isTrue();
            hold.release();
        }
        eventually(() -> assertThat(releases).allMatch(RFuture::isDone));
        old.resume();
        for (int i = 0; i < 50; i++) {
            client.getLock("held " + i).acquire().release();
        }
    }
}
