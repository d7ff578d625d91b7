package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clusters with replicas, passwords, TLS, mapped ports and nodes of two versions. */
@Tag("proof")
class ServerClusterKindsTest {
    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void aReplicaTakesOverFromAMasterThatIsKilled(RedisSource source) {
        try (ServerCluster cluster = ServerCluster.builder().source(source).start()) {
            assertThat(cluster.nodes()).hasSize(6);
            assertThat(cluster.masters()).isEqualTo(cluster.nodes().subList(0, 3));
            assertThat(cluster.replicas()).isEqualTo(cluster.nodes().subList(3, 6));
            RedisServer master = cluster.masters().get(0);
            RedisServer replica = cluster.replicaOf(master);
            assertThat(replica).isSameAs(cluster.nodes().get(3));
            String key = "{" + cluster.tagAt(master) + "}a";

            master.kill();
            assertThat(cluster.awaitOtherMaster(ServerCluster.slotOf(key), master))
                    .isSameAs(replica);
            assertThat(cluster.masterOf(key)).isSameAs(replica);
            assertThat(cluster.masters()).contains(replica).doesNotContain(master);
            assertThat(Answer.of(replica, "SET", key, "1")).isEqualTo("OK");

            master.restart();
            cluster.awaitSettled();
            assertThat(cluster.replicaOf(replica)).isSameAs(master);
            assertThat(Answer.of(master, "GET", key)).startsWith("MOVED ").endsWith(cluster.addressOf(replica));

            cluster.reset();
            assertThat(cluster.masterOf(key)).isSameAs(master);
            assertThat(cluster.replicaOf(master)).isSameAs(replica);
            assertThat(Answer.of(master, "GET", key)).isEqualTo("null");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void aFailoverByTheCommandLosesNothing(RedisSource source) {
        try (ServerCluster cluster = ServerCluster.builder().source(source).start()) {
            RedisServer first = cluster.masters().get(1);
            RedisServer second = cluster.replicaOf(first);
            String key = "{" + cluster.tagAt(first) + "}a";
            Answer.of(first, "SET", key, "1");
            cluster.failOver(second);
            assertThat(cluster.masterOf(key)).isSameAs(second);
            assertThat(Answer.of(second, "GET", key)).isEqualTo("1");
            assertThatThrownBy(() -> cluster.failOver(second))
                    .hasMessageStartingWith("failOver: " + second + " (expected: a node that follows another one)");
        }
    }

    @Test
    void failoversFollowEachOtherThoughMastersVoteSeldom() {
        try (ServerCluster cluster = ServerCluster.start(3, 1)) {
            RedisServer first = cluster.masters().get(0);
            RedisServer second = cluster.replicaOf(first);
            cluster.failOver(second);
            cluster.failOver(first);
            cluster.failOver(second);
            assertThat(cluster.masterOf(0)).isSameAs(second);
        }
    }

    @Test
    void aMasterThatStoodStillFollowsTheNewOne() {
        try (ServerCluster cluster = ServerCluster.start(3, 1)) {
            RedisServer stale = cluster.masters().get(0);
            String key = "{" + cluster.tagAt(stale) + "}a";
            stale.pause();
            RedisServer next = cluster.awaitOtherMaster(ServerCluster.slotOf(key), stale);
            Answer.of(next, "SET", key, "right");
            stale.resume();
            cluster.awaitSettled();
            assertThat(cluster.replicaOf(next)).isSameAs(stale);
            assertThat(Answer.of(stale, "SET", key, "late")).startsWith("MOVED ");
            assertThat(Answer.of(next, "GET", key)).isEqualTo("right");
        }
    }

    @Test
    void aMasterWithoutAMajorityServesNothingUntilAReplicaTakesOver() {
        try (ServerCluster cluster = ServerCluster.start(3, 1)) {
            List<RedisServer> masters = cluster.masters();
            RedisServer alone = masters.get(2);
            List<RedisServer> next = masters.stream().map(cluster::replicaOf).toList();
            String key = "{" + cluster.tagAt(alone) + "}a";
            int slotOfOther = ServerCluster.slotOf("{" + cluster.tagAt(masters.get(1)) + "}");
            masters.get(0).pause();
            masters.get(1).pause();
            await().atMost(ClusterForming.LIMIT)
                    .until(() -> Answer.of(alone, "SET", key, "1").startsWith("CLUSTERDOWN"));
            assertThat(cluster.masterOf(0)).isSameAs(masters.get(0));

            cluster.takeOver(next.get(0));
            // Two masters of three are a majority, and vote for the other replica.
            assertThat(cluster.awaitOtherMaster(slotOfOther, masters.get(1))).isSameAs(next.get(1));
            assertThat(cluster.masters()).containsExactlyInAnyOrder(alone, next.get(0), next.get(1));
            assertThat(Answer.of(alone, "SET", key, "1")).isEqualTo("OK");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void passwordsAndTlsAreForTheNodesAmongThemselvesToo(RedisSource source) {
        try (ServerCluster cluster = ServerCluster.builder()
                .source(source)
                .password("secret")
                .tls(TlsMode.MUTUAL)
                .start()) {
            RedisServer one = cluster.masters().get(0);
            RedisServer other = cluster.masters().get(1);
            assertThat(cluster.url()).startsWith("rediss-cluster://127.0.0.1:" + one.port() + ",127.0.0.1:");
            assertThat(one.tls().authority()).isSameAs(other.tls().authority());
            String key = "{" + cluster.tagAt(one) + "}a";
            Answer.of(one, "SET", key, "1");
            cluster.moveSlot(ServerCluster.slotOf(key), other);
            assertThat(Answer.of(other, "GET", key)).isEqualTo("1");
            cluster.failOver(cluster.replicaOf(other));
            assertThat(Answer.of(cluster.masterOf(key), "GET", key)).isEqualTo("1");
            try (RawRedis stranger = RawRedis.connect(one.host(), one.plainPort())) {
                assertThatThrownBy(() -> stranger.command("CLUSTER", "INFO")).hasMessageStartingWith("NOAUTH");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OFF", "SERVER"})
    void nodesAreAnnouncedWhereTheirPortsAreMapped(TlsMode mode) {
        try (ServerCluster cluster =
                ServerCluster.builder().tls(mode).announcedByProxies().start()) {
            RedisServer master = cluster.masters().get(0);
            FaultProxy proxy = cluster.proxyOf(master);
            assertThat(proxy.port()).isNotEqualTo(master.port());
            assertThat(cluster.addressOf(master)).isEqualTo("127.0.0.1:" + proxy.port());
            assertThat(cluster.url()).contains("://" + cluster.addressOf(master) + ",");
            String key = "{" + cluster.tagAt(master) + "}a";
            try (RawRedis raw = cluster.masters().get(1).connect()) {
                assertThatThrownBy(() -> raw.command("GET", key)).hasMessageEndingWith(" 127.0.0.1:" + proxy.port());
            }
            assertThat(Answer.of(cluster.replicaOf(master), "INFO", "replication"))
                    .contains("master_port:" + proxy.port());
            cluster.moveSlot(ServerCluster.slotOf(key), cluster.masters().get(2));
        }
    }

    @Test
    void aDetourCutsOffOneNodeForItsOwnClientOnly() {
        try (ServerCluster cluster = ServerCluster.start(1, 1)) {
            RedisServer master = cluster.masters().get(0);
            Detours detours = cluster.detours();
            FaultProxy proxy = detours.to(master);
            assertThat(detours.addresses())
                    .hasSize(2)
                    .containsEntry(cluster.addressOf(master), "127.0.0.1:" + proxy.port());
            assertThat(detours.url()).startsWith("redis-cluster://127.0.0.1:" + proxy.port() + ",127.0.0.1:");
            detours.partition(master);
            try (RawRedis cutOff = RawRedis.connect(proxy.host(), proxy.port())) {
                cutOff.send("PING");
                assertThatThrownBy(() -> cutOff.timeout(Duration.ofMillis(200)).receive())
                        .isInstanceOf(UncheckedIOException.class);
                assertThat(Answer.of(master, "PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void oneNodeMayBeOfAnOlderVersion() {
        try (ServerCluster cluster = ServerCluster.builder()
                .replicas(0)
                .source(RedisSource.EMBEDDED)
                .node(2, node -> node.source(RedisSource.OLDEST))
                .start()) {
            assertThat(cluster.nodes())
                    .extracting(RedisServer::source)
                    .containsExactly(RedisSource.EMBEDDED, RedisSource.EMBEDDED, RedisSource.OLDEST);
            RedisServer older = cluster.nodes().get(2);
            String key = "{" + cluster.tagAt(older) + "}a";
            Answer.of(older, "SET", key, "1");
            cluster.moveSlot(ServerCluster.slotOf(key), cluster.nodes().get(0));
            assertThat(Answer.of(cluster.nodes().get(0), "GET", key)).isEqualTo("1");
        }
    }

    @Test
    void aSpareNodeIsMetFollowsAndIsForgotten() {
        try (ServerCluster cluster =
                ServerCluster.builder().replicas(0).spares(1).start()) {
            RedisServer spare = cluster.spares().get(0);
            RedisServer master = cluster.masters().get(0);
            assertThatThrownBy(() -> cluster.idOf(spare)).hasMessageContaining("expected: one that belongs to");
            cluster.meet(spare);
            cluster.follow(spare, master);
            assertThat(cluster.replicaOf(master)).isSameAs(spare);
            assertThatThrownBy(() -> cluster.forget(master))
                    .hasMessageContaining("expected: a node that no other follows");

            cluster.forget(spare);
            assertThat(cluster.replicas()).isEmpty();
            for (RedisServer node : cluster.nodes()) {
                assertThat(Answer.of(node, "CLUSTER", "NODES")).doesNotContain(":" + spare.port() + "@");
            }
            cluster.meet(spare);
            assertThat(cluster.replicaOf(master)).isSameAs(spare);

            cluster.reset();
            assertThat(cluster.replicas()).isEmpty();
            assertThat(Answer.of(spare, "CLUSTER", "NODES").lines()).hasSize(1);
            assertThat(cluster.masters()).isEqualTo(cluster.nodes());
        }
    }

    @Test
    void whatCanNotBeIsSaid() {
        assertThatThrownBy(() -> ServerCluster.builder().masters(0)).hasMessage("masters: 0 (expected: > 0)");
        assertThatThrownBy(() -> ServerCluster.builder().replicas(-1)).hasMessage("replicas: -1 (expected: >= 0)");
        assertThatThrownBy(() -> ServerCluster.builder().node(6, node -> node).start())
                .hasMessage("node: 6 (expected: 0 to 5)");
    }

    @Test
    void serversInContainersAreRefused() {
        ContainerEngine.assumePresent();
        assertThatThrownBy(
                        () -> ServerCluster.builder().source(RedisSource.DOCKER).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("(expected: from this machine, by -Dholdfast.redis=path or embedded)");
    }
}
