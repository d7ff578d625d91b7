package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A short look at locks on a cluster, of which the others have more. */
class ClusterInShortTest {

    @Test
    void locksOfAllPrimariesExcludeWakeAreFoundAndFollowTheirSlots() throws Exception {
        try (ServerCluster cluster = ServerCluster.start(3, 0);
                LockClient client =
                        LockClient.connect(cluster.url(), ClusterTest.patient().build());
                LockClient other =
                        LockClient.connect(cluster.url(), ClusterTest.patient().build())) {
            List<String> names = oneOfEach(cluster);
            List<LockHold> holds = new ArrayList<>();
            List<Background<LockHold>> waiters = new ArrayList<>();
            for (String name : names) {
                holds.add(Futures.get(client.getLock(name).acquireAsync()));
                assertThat(other.getLock(name).tryLock()).isFalse();
                waiters.add(Background.call(() -> other.getLock(name).acquire()));
            }
            assertThat(client.diagnose())
                    .filteredOn(finding -> finding.code() == Code.CLUSTER_NODE)
                    .hasSize(3);
            assertThat(client.locks(LockQuery.all()).map(LockInfo::name)).containsExactlyInAnyOrderElementsOf(names);
            await().until(() -> names.stream().allMatch(name -> other.waiters().stream()
                    .anyMatch(call -> call.name().equals(name))));

            int slot = ServerCluster.slotOf(Stored.key(names.get(0)));
            RedisServer source = cluster.masterOf(slot);
            RedisServer target = cluster.masters().stream()
                    .filter(master -> master != source)
                    .findFirst()
                    .orElseThrow();
            cluster.moveSlot(slot, target);

            for (int i = 0; i < names.size(); i++) {
                holds.get(i).close();
                LockHold next = waiters.get(i).result(ClusterTest.WOKEN);
                assertThat(next.fencingToken()).isGreaterThan(holds.get(i).fencingToken());
                next.close();
            }
        }
    }

    private static List<String> oneOfEach(ServerCluster cluster) {
        List<String> names = new ArrayList<>();
        Set<RedisServer> seen = new HashSet<>();
        for (int i = 0; seen.size() < 3; i++) {
            if (seen.add(cluster.masterOf(ServerCluster.slotOf(Stored.key("each-" + i))))) {
                names.add("each-" + i);
            }
        }
        return names;
    }
}
