package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.harness.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson and Holdfast on the same keys of one cluster: they exclude and wake each other, by the messages of slots, before and
 * after a slot has moved and a primary was replaced.
 */
@Tag("proof")
class MixedClusterFleetTest extends ClusterTest {

    private static final LockOptions SHARED =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    /** Less than a lease: a waiter of theirs that is not woken is not granted in this time. */
    private static final Duration THEIRS_WOKEN = Duration.ofSeconds(15);

    private RedissonClient redisson;
    private RLock ours;
    private org.redisson.api.RLock theirs;
    private String name;

    @BeforeEach
    void connectBoth() {
        Config config = new Config();
        var nodes = config.useClusterServers().setScanInterval(500);
        cluster.nodes().forEach(node -> nodes.addNodeAddress("redis://" + cluster.addressOf(node)));
        redisson = Redisson.create(config);
        take("shared-0");
    }

    private void take(String next) {
        name = next;
        ours = connect(patient().lockOptions(SHARED).build()).getLock(name);
        theirs = redisson.getLock(name);
    }

    @AfterEach
    void closeTheirs() {
        redisson.shutdown();
    }

    @Test
    void eachExcludesAndWakesTheOtherAtEachPrimary() throws Exception {
        for (String each : sharedOfEach()) {
            take(each);
            assertExcludesAndWakes();
        }
    }

    private List<String> sharedOfEach() {
        List<String> names = new ArrayList<>();
        Set<RedisServer> seen = new HashSet<>();
        for (int i = 0; seen.size() < cluster.masters().size(); i++) {
            if (seen.add(cluster.masterOf("shared-" + i))) {
                names.add("shared-" + i);
            }
        }
        return names;
    }

    @Test
    void theSameAfterTheSlotHasMoved() throws Exception {
        assertExcludesAndWakes();
        RedisServer target = otherThan(cluster.masterOf(name));
        cluster.moveSlot(ServerCluster.slotOf(name), target);
        awaitTheirsAt(target);
        assertExcludesAndWakes();
    }

    @Test
    void theSameAfterThePrimaryWasReplaced() throws Exception {
        assertExcludesAndWakes();
        RedisServer replica = cluster.replicaOf(cluster.masterOf(name));
        cluster.failOver(replica);
        awaitTheirsAt(replica);
        assertExcludesAndWakes();
    }

    /**
     * The server ends the subscription, and our client subscribes at the new primary. Theirs does not: its waiters look when the
     * lease that they know of is over.
     */
    @Test
    void ourWaiterIsWokenByTheirReleaseThoughTheSlotHasMovedMeanwhile() throws Exception {
        theirs.lock();
        Background<Boolean> ourWaiter = Background.run(() -> ours.acquire().release());
        awaitSubscribers(1);
        RedisServer target = otherThan(cluster.masterOf(name));
        cluster.moveSlot(ServerCluster.slotOf(name), target);
        awaitSubscribers(1);
        awaitTheirsAt(target);
        assertThat(ourWaiter.isDone()).isFalse();
        theirs.unlock();
        assertThat(ourWaiter.result(WOKEN)).isTrue();
    }

    private void assertExcludesAndWakes() throws Exception {
        LockHold held = ours.acquire();
        assertThat(theirs.tryLock()).isFalse();
        Background<Boolean> theirWaiter = theirTurn();
        awaitSubscribers(1);
        held.release();
        assertThat(theirWaiter.result(THEIRS_WOKEN)).isTrue();
        awaitSubscribers(0);

        theirs.lock();
        assertThat(ours.tryLock()).isFalse();
        Background<Boolean> ourWaiter = Background.run(() -> ours.acquire().release());
        awaitSubscribers(1);
        theirs.unlock();
        assertThat(ourWaiter.result(WOKEN)).isTrue();
        awaitSubscribers(0);
    }

    private Background<Boolean> theirTurn() {
        return Background.call(() -> {
            boolean granted = theirs.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            theirs.unlock();
            return granted;
        });
    }

    /** Their client needs a while to follow, during which its calls may fail. */
    private void awaitTheirsAt(RedisServer now) {
        int slot = ServerCluster.slotOf(name);
        String beside = "probe-0";
        for (int i = 1; ServerCluster.slotOf(beside) != slot; i++) {
            beside = "probe-" + i;
        }
        String probed = beside;
        org.redisson.api.RLock probe = redisson.getLock(probed);
        await().atMost(PATIENCE).pollInSameThread().ignoreExceptions().until(() -> {
            assertThat(probe.tryLock()).isTrue();
            try (RawRedis raw = now.connect()) {
                return raw.integer("EXISTS", probed) == 1;
            } finally {
                probe.unlock();
            }
        });
    }

    /** Of the slot's messages, and of no others. */
    private void awaitSubscribers(int count) {
        eventually(() -> {
            assertThat(subscribers("SHARDNUMSUB")).as("sharded").isEqualTo(count);
            assertThat(subscribers("NUMSUB")).as("classic").isZero();
        });
    }

    private long subscribers(String question) {
        long sum = 0;
        for (RedisServer node : cluster.nodes()) {
            try (RawRedis raw = node.connect()) {
                sum += Long.parseLong(raw.list("PUBSUB", question, "redisson_lock__channel:{" + name + "}")
                        .get(1));
            }
        }
        return sum;
    }
}
