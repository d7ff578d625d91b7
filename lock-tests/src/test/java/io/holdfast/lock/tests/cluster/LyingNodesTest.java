package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that send calls round in circles, and many calls that are sent on at once (row 14 of the fault matrix). */
@Tag("proof")
class LyingNodesTest extends ClusterTest {

    private static final int MOST_HOPS = 5;
    private static final int CALLS = 1_000;
    /** A client with as much patience does not notice that replies are held. */
    private static final Duration PATIENT = Duration.ofSeconds(25);

    /** Slots that one master has from the start. */
    private static final int SLOTS_OF_THE_FIRST = 5_000;

    private final String name = namesOfOneSlot(1).get(0);
    private final int slot = slotOf(name);

    /** The primary of an empty slot comes to believe that another node is; that one is told nothing, and believes what it did. */
    private void sendRound(RedisServer one, RedisServer other) {
        try (RawRedis raw = one.connect()) {
            raw.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", cluster.idOf(other));
        }
    }

    @Test
    void aCallThatTwoNodesSendToEachOtherEndsAfterFiveHops() throws Exception {
        RedisServer one = cluster.masterOf(slot);
        RedisServer other = otherThan(one);
        LockClient client = connect();
        sendRound(one, other);
        resetStatistics();

        assertThatThrownBy(() -> client.getLock(name).tryLock())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("sent on " + MOST_HOPS + " times")
                .hasMessageFindingMatch("MOVED " + slot + " 127\\.0\\.0\\.1:(" + one.port() + "|" + other.port() + ")");
        assertThat(movedAt(one) + movedAt(other)).isEqualTo(MOST_HOPS + 1);
    }

    @Test
    void callsThatAreSentRoundAskForOneMapASecondAtMost() {
        RedisServer one = cluster.masterOf(slot);
        LockClient client = connect();
        sendRound(one, otherThan(one));
        resetStatistics();
        long began = System.nanoTime();

        List<RFuture<Optional<LockHold>>> calls = IntStream.range(0, CALLS)
                .mapToObj(i -> client.getLock(name).tryAcquireAsync(Duration.ofSeconds(3)))
                .toList();
        for (RFuture<Optional<LockHold>> call : calls) {
            assertThatThrownBy(() -> Futures.get(call)).isInstanceOf(LockException.class);
        }
        assertThat(sum(LyingNodesTest::movedAt)).isGreaterThan(MOST_HOPS);
        assertThat(sum(LyingNodesTest::mapsAt)).isBetween(1L, mostMapsSince(began));
    }

    @Test
    void aThousandCallsThatAreSentOnAtOnceAskForOneMap() {
        RedisServer old = cluster.masterOf(0);
        assertThat(cluster.masterOf(SLOTS_OF_THE_FIRST)).isSameAs(old);
        Detours detours = opening(cluster.detours());
        FaultProxy way = detours.to(old);
        LockClient client = opening(LockClient.connect(
                detours.url(),
                patient()
                        .commandTimeout(PATIENT)
                        .heartbeat(PATIENT)
                        .addressMapper(AddressMapper.of(detours.addresses().entrySet().stream()
                                .collect(Collectors.toMap(
                                        each -> NodeAddress.parse(each.getKey()),
                                        each -> NodeAddress.parse(each.getValue())))))
                        .build()));
        List<String> names = namesAtTheFirst();
        Futures.get(client.getLock(names.get(0)).acquireAsync()).close();
        cluster.failOver(cluster.replicaOf(old));
        resetStatistics();
        way.holdReplies();
        List<RFuture<LockHold>> calls =
                names.stream().map(each -> client.getLock(each).acquireAsync()).toList();
        eventually(() -> assertThat(movedAt(old)).isEqualTo(CALLS));
        long began = System.nanoTime();
        way.heal();

        List<LockHold> holds = calls.stream().map(Futures::get).toList();
        // Up to a second after the one before, which may be that of the first contact.
        eventually(() -> assertThat(sum(LyingNodesTest::mapsAt)).isPositive());
        assertThat(sum(LyingNodesTest::mapsAt)).isLessThanOrEqualTo(mostMapsSince(began));
        holds.forEach(LockHold::close);
    }

    private static List<String> namesAtTheFirst() {
        List<String> names = new ArrayList<>();
        for (int i = 0; names.size() < CALLS; i++) {
            if (slotOf("many-" + i) < SLOTS_OF_THE_FIRST) {
                names.add("many-" + i);
            }
        }
        return names;
    }

    private static long mostMapsSince(long nanos) {
        return 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
    }

    // --- what the nodes have counted ---

    private void resetStatistics() {
        sum(raw -> {
            raw.command("CONFIG", "RESETSTAT");
            return 0;
        });
    }

    private long sum(ToLongFunction<RawRedis> count) {
        long sum = 0;
        for (RedisServer node : cluster.nodes()) {
            try (RawRedis raw = node.connect()) {
                sum += count.applyAsLong(raw);
            }
        }
        return sum;
    }

    private static long movedAt(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return movedAt(raw);
        }
    }

    private static long movedAt(RawRedis raw) {
        String count = raw.info("errorstats").get("errorstat_MOVED");
        return count == null ? 0 : Long.parseLong(count.replaceFirst(".*count=(\\d+).*", "$1"));
    }

    private static long mapsAt(RawRedis raw) {
        return raw.calls("cluster|shards");
    }
}
