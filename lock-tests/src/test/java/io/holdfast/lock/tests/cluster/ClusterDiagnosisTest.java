package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.SlotMove;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LockClient#diagnose()} on clusters of real processes. */
@Tag("proof")
class ClusterDiagnosisTest extends ClusterTest {

    private LockClient lazy(String url) {
        return opening(LockClient.connect(url, patient().lazy(true).build()));
    }

    private List<String> masters() {
        return cluster.masters().stream().map(cluster::addressOf).toList();
    }

    private static List<Finding> all(Code code, List<Finding> findings) {
        return findings.stream().filter(finding -> finding.code() == code).toList();
    }

    private static Finding one(Code code, List<Finding> findings) {
        assertThat(all(code, findings)).as("%s in %s", code, findings).hasSize(1);
        return all(code, findings).get(0);
    }

    @Test
    void anyOneNodeLeadsToAllPrimariesBeforeTheFirstCall() {
        for (RedisServer seed :
                List.of(cluster.masters().get(0), cluster.replicas().get(0))) {
            List<Finding> findings =
                    lazy("redis-cluster://" + cluster.addressOf(seed)).diagnose();
            assertThat(all(Code.CLUSTER_NODE, findings))
                    .extracting(Finding::node)
                    .containsExactlyInAnyOrderElementsOf(masters());
            assertThat(all(Code.CLUSTER_NODE, findings)).allSatisfy(finding -> assertThat(finding.seen())
                    .contains("1 replica", "maxmemory-policy noeviction")
                    .containsPattern("Version [0-9.]+, 546[12] slots"));
            assertThat(one(Code.CLUSTER, findings).seen())
                    .isEqualTo(
                            "16384 of 16384 slots have a primary, at 3 nodes; none is being moved; each was reached");
            assertThat(findings)
                    .as("each right is known at each node")
                    .noneMatch(finding -> finding.code() == Code.UNKNOWN_RIGHTS
                            && cluster.nodes().get(0).version().isAtLeast(7, 0))
                    .noneMatch(finding -> finding.severity() == Severity.PROBLEM);
        }
    }

    @Test
    void nothingIsLeftBehindAtAnyNode() {
        connect().diagnose();
        for (RedisServer master : cluster.masters()) {
            try (RawRedis raw = master.connect()) {
                assertThat(raw.integer("DBSIZE")).isZero();
            }
        }
    }

    @Test
    void inTheRedissonSchemeRightsAreKnownToo() {
        LockOptions redisson =
                LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        assertThat(connect(patient().lockOptions(redisson).build()).diagnose())
                .noneMatch(finding -> finding.code() == Code.UNKNOWN_RIGHTS
                        && cluster.nodes().get(0).version().isAtLeast(7, 0));
    }

    @Test
    void whatDiffersFromNodeToNodeIsToldOfItsNode() {
        RedisServer odd = cluster.masters().get(1);
        try (RawRedis raw = odd.connect()) {
            raw.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            List<Finding> findings = connect().diagnose();
            assertThat(one(Code.EVICTION, findings).node()).isEqualTo(cluster.addressOf(odd));
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void aSlotThatIsBeingMovedIsToldWithBothItsNodes() throws Exception {
        LockClient client = connect();
        RedisServer source = cluster.masters().get(0);
        RedisServer target = cluster.masters().get(1);
        int first = 0;
        while (cluster.masterOf(first) != source) {
            first++;
        }
        SlotMove move = cluster.beginMove(first, target);
        List<Finding> findings = client.diagnose();
        Finding moving = one(Code.SLOTS_MOVING, findings);
        assertThat(moving.seen()).startsWith("1 slot is being moved from ").endsWith(": " + first);
        assertThat(moving.node()).isEqualTo(cluster.addressOf(source) + ", " + cluster.addressOf(target));
        assertThat(moving.severity()).isEqualTo(Severity.NOTE);
        try (RawRedis raw = target.connect()) {
            raw.command("CLUSTER", "SETSLOT", String.valueOf(first), "STABLE");
        }
        Finding half = one(Code.SLOTS_MOVING, client.diagnose());
        assertThat(half.severity()).isEqualTo(Severity.WARNING);
        try (RawRedis raw = target.connect()) {
            raw.command("CLUSTER", "SETSLOT", String.valueOf(first), "IMPORTING", cluster.idOf(source));
        }
        move.callOff();
    }

    @Test
    void aLostReplicaIsAWarningAndALostPrimaryAProblem() throws Exception {
        LockClient client = connect();
        RedisServer master = cluster.masters().get(0);
        RedisServer replica = cluster.replicaOf(master);
        replica.kill();
        eventually(() -> {
            List<Finding> findings = client.diagnose();
            assertThat(one(Code.NODE_FAILED, findings).node()).isEqualTo(cluster.addressOf(replica));
            assertThat(one(Code.NODE_FAILED, findings).severity()).isEqualTo(Severity.WARNING);
            assertThat(one(Code.NO_REPLICA, findings).node()).isEqualTo(cluster.addressOf(master));
        });
        master.kill();
        eventually(() -> {
            List<Finding> findings = client.diagnose();
            assertThat(all(Code.UNREACHABLE, findings))
                    .extracting(Finding::node)
                    .contains(cluster.addressOf(master));
            assertThat(one(Code.UNREACHABLE, findings).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(all(Code.NODE_FAILED, findings))
                    .extracting(finding -> finding.severity() + " " + finding.node())
                    .contains("PROBLEM " + cluster.addressOf(master), "WARNING " + cluster.addressOf(replica));
            assertThat(all(Code.CLUSTER_DOWN, findings)).isNotEmpty();
            assertThat(one(Code.CLUSTER, findings).seen()).contains("not reached: " + cluster.addressOf(master));
        });
        master.restart();
        replica.restart();
        cluster.awaitSettled();
    }

    @Test
    void anAddressWithoutAnyServerIsFoundInTime() {
        LockClient client = opening(LockClient.connect(
                "redis-cluster://127.0.0.1:1,127.0.0.1:2",
                patient().lazy(true).connectTimeout(Duration.ofSeconds(2)).build()));
        assertThat(client.diagnose())
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.PROBLEM))
                .extracting(Finding::code)
                .containsOnly(Code.UNREACHABLE);
    }

    @Test
    void aServerThatIsNoNodeOfAClusterIsSaidToBeNone() {
        try (RedisServer alone = RedisServer.start()) {
            List<Finding> findings =
                    lazy(alone.url().replace("redis://", "redis-cluster://")).diagnose();
            assertThat(findings)
                    .filteredOn(finding -> finding.severity() == Severity.PROBLEM)
                    .anySatisfy(finding -> assertThat(finding.seen()).contains("not part of a cluster"));
        }
    }

    /** Connecting says so at once, and the diagnosis beside what it finds at that server. */
    @Test
    void aSentinelIsSaidToBeNoNodeOfACluster() {
        try (RedisServer sentinel =
                RedisServer.builder().mode(ServerMode.SENTINEL).start()) {
            String url = sentinel.url().replace("redis://", "redis-cluster://");
            assertThatThrownBy(() -> LockClient.connect(url)).hasMessageContaining("redis-sentinel://");
            assertThat(lazy(url).diagnose())
                    .filteredOn(finding -> finding.code() == Code.UNREACHABLE)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.seen()).contains("redis-sentinel://"));
        }
    }

    @Test
    void locksGoOnWhileTheClusterIsAsked() throws Exception {
        LockClient client = connect();
        try (LockHold hold = client.getLock("asked").acquire()) {
            client.diagnose();
            assertThat(hold.validFor()).isPositive();
        }
    }
}
