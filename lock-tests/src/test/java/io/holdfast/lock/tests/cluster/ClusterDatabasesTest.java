package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.harness.Background;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A database of a cluster: Valkey 9 has several, and others have number 0 alone. */
class ClusterDatabasesTest {

    @Test
    void eachDatabaseHasLocksOfItsOwn() throws Exception {
        assumeTrue(hasDatabases(), "a server without databases in clusters");
        try (ServerCluster cluster = ServerCluster.builder()
                        .masters(3)
                        .nodes(node -> node.option("cluster-databases", "4"))
                        .start();
                LockClient third = LockClient.connect(cluster.url() + "/3");
                LockClient other = LockClient.connect(cluster.url() + "/3");
                LockClient first = LockClient.connect(cluster.url())) {
            for (String name : List.of("a", "b", "c", "d")) {
                LockHold hold = third.getLock(name).acquire();
                assertThat(other.getLock(name).tryLock()).isFalse();
                assertThat(first.getLock(name).tryLock()).isTrue();
                first.getLock(name).unlock();
                Background<LockHold> waiter =
                        Background.call(() -> other.getLock(name).acquire());
                hold.release();
                LockHold next = waiter.result(ClusterTest.WOKEN);
                assertThat(third.locks(LockQuery.all()).map(LockInfo::name)).containsExactly(name);
                assertThat(first.locks(LockQuery.all())).isEmpty();
                next.release();
            }
            RedisServer target = cluster.masters().get(0);
            int slot = ServerCluster.slotOf("holdfast:{moved}");
            if (cluster.masterOf(slot) == target) {
                target = cluster.masters().get(1);
            }
            LockHold moved = third.getLock("moved").acquire();
            if (cluster.movesWholeSlots()) {
                cluster.moveWholeSlot(slot, target);
                assertThat(other.getLock("moved").tryLock()).isFalse();
            }
            moved.release();
        }
    }

    @Test
    void aClusterWithoutThemSaysSo() {
        try (ServerCluster cluster = ServerCluster.start(3, 0)) {
            assertThatThrownBy(() -> {
                        try (LockClient client = LockClient.connect(cluster.url() + "/3")) {
                            client.getLock("a").tryLock();
                        }
                    })
                    .isInstanceOfSatisfying(LockServerException.class, refusal -> assertThat(refusal.reason())
                            .isEqualTo(FailureReason.SERVER_ERROR))
                    .hasMessageContaining("SELECT 3");
        }
    }

    private static boolean hasDatabases() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            return !((List<?>) raw.command("CONFIG", "GET", "cluster-databases")).isEmpty();
        }
    }
}
