package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One client is cut off from the primary only, or from all Sentinels only; another one hears all of them. */
@Tag("proof")
class CutOffClientTest extends SentinelTest {

    private Detours detours;
    private LockClient cutOff;
    private LockClient other;

    @BeforeEach
    void connectBoth() {
        detours = group.detours();
        Map<NodeAddress, NodeAddress> ways = new HashMap<>();
        detours.addresses().forEach((announced, way) -> ways.put(NodeAddress.parse(announced), NodeAddress.parse(way)));
        ClientOptions mapped = options().addressMapper(AddressMapper.of(ways)).build();
        cutOff = connect(detours.url(), mapped);
        other = connect();
    }

    /** The ends of connections are kept back too. */
    @AfterEach
    void healAll() {
        group.servers().forEach(detours::heal);
        group.sentinels().forEach(detours::heal);
    }

    @Override
    ClientOptions.Builder options() {
        return Clients.quick()
                .sentinel(
                        SentinelOptions.builder().silence(Duration.ofSeconds(1)).build());
    }

    /** The Sentinels name the same primary all the time: there is no other to go to. */
    @Test
    void aClientThatDoesNotReachThePrimaryIsBackWhenItDoes() throws Exception {
        LockHold hold =
                cutOff.getLock("stock", Clients.watchdog(Duration.ofSeconds(3))).acquire();
        long token = hold.fencingToken();
        RFuture<LockHold> waiting = other.getLock("stock").acquireAsync();
        RedisServer primary = group.primary();
        detours.partition(primary);

        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.NOT_RENEWED);
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
            assertThatThrownBy(() -> cutOff.getLock("stock").tryLock(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(LockException.class);
            detours.heal(primary);
            RFuture<LockHold> later = cutOff.getLock("stock").acquireAsync();
            cutOff.getLock("another").acquire().release();
            assertThat(later.isDone()).isFalse();
            next.release();
            Futures.get(later).release();
        }
        assertThat(group.primary()).isSameAs(primary);
        assertThat(log.lines("No Sentinel")).isEmpty();
    }

    /** What it is granted meanwhile may be lost: that is told, and the token of the next owner is greater. */
    @Test
    void aClientThatHearsNoSentinelGoesOnAndMovesWhenItHearsThem() throws Exception {
        cutOffFromSentinels();
        cutOff.getLock("before").acquire().release();
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        LockHold stale = cutOff.getLock("stock", Clients.watchdog(LONG_LEASE)).acquire();
        long token = stale.fencingToken();
        assertThat(has(old, "stock")).isTrue();
        eventually(() -> assertThat(connections(now)).isNotEmpty());
        LockHold good = other.getLock("stock").acquire();
        assertThat(good.fencingToken()).isGreaterThan(token);

        group.sentinels().forEach(detours::heal);
        assertThat(Futures.get(stale.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILED_OVER);
        RFuture<LockHold> waiting = cutOff.getLock("stock").acquireAsync();
        cutOff.getLock("another").acquire().release();
        assertThat(waiting.isDone()).isFalse();
        good.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(has(now, next.name())).isTrue();
        }
    }

    private void cutOffFromSentinels() {
        group.sentinels().forEach(detours::partition);
        eventually(() -> assertThat(log.lines("No Sentinel of mymaster has answered for 1000 ms"))
                .hasSize(1));
    }
}
