package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.ServerClusterBuilder;
import io.holdfast.lock.testkit.ServerTls;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.TrustedTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters whose nodes announce themselves in other ways than by addresses that lead to them: behind address translation, by
 * names, or by no host at all.
 */
@Tag("proof")
class AnnouncedClusterTest {

    private static final String NOWHERE = "node-%d.invalid";
    private static final int NO_PORT = 7_000;

    private static ServerClusterBuilder masters() {
        return ServerCluster.builder().masters(3).replicas(0);
    }

    /** Each node has another host and another port for clients than it has, and none of them leads anywhere. */
    private static ServerClusterBuilder translated() {
        ServerClusterBuilder builder = masters();
        for (int i = 0; i < 3; i++) {
            String host = NOWHERE.formatted(i);
            String port = Integer.toString(NO_PORT + i);
            builder.node(i, node -> node.option("cluster-announce-hostname", host)
                    .option("cluster-preferred-endpoint-type", "hostname")
                    .option("cluster-announce-port", port));
        }
        return builder;
    }

    private static Map<NodeAddress, NodeAddress> ways(ServerCluster cluster) {
        Map<NodeAddress, NodeAddress> ways = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            RedisServer node = cluster.nodes().get(i);
            ways.put(new NodeAddress(NOWHERE.formatted(i), NO_PORT + i), new NodeAddress(node.host(), node.port()));
        }
        return ways;
    }

    private static String seed(RedisServer node) {
        return "redis-cluster://" + node.host() + ":" + node.port();
    }

    private static LockClient connect(String url, ClientOptions.Builder options) {
        return LockClient.connect(url, options.build());
    }

    /** Takes and gives back a lock of each master, and one whose slot has moved since. */
    private static void locksAtAllNodes(ServerCluster cluster, LockClient client) throws Exception {
        List<String> names = new ArrayList<>();
        for (RedisServer master : cluster.masters()) {
            int i = 0;
            while (cluster.masterOf(Stored.key("each-" + i)) != master) {
                i++;
            }
            names.add("each-" + i);
        }
        for (String name : names) {
            client.getLock(name).acquire().close();
        }
        RedisServer last = cluster.masterOf(Stored.key(names.get(2)));
        cluster.moveSlot(ServerCluster.slotOf(Stored.key(names.get(0))), last);
        try (LockHold hold = client.getLock(names.get(0)).acquire()) {
            assertThat(client.getLock(names.get(0)).isLocked()).isTrue();
            assertThat(hold.fencingToken()).isPositive();
        }
    }

    private static Set<String> connectedNodes(LockClient client) {
        return client.connections().stream()
                .filter(ConnectionInfo::up)
                .map(ConnectionInfo::node)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aMapperLeadsToNodesWhoseAnnouncedAddressesLeadNowhere() throws Exception {
        try (ServerCluster cluster = translated().start();
                LockClient client = connect(
                        seed(cluster.nodes().get(1)),
                        ClusterTest.patient().addressMapper(AddressMapper.of(ways(cluster))))) {
            locksAtAllNodes(cluster, client);
            assertThat(connectedNodes(client))
                    .containsExactly("node-0.invalid:7000", "node-1.invalid:7001", "node-2.invalid:7002");
        }
    }

    @Test
    void withoutAMapperFaultsNameTheAddressThatLeadsNowhere() {
        try (ServerCluster cluster = translated().start();
                LockClient client = connect(
                        seed(cluster.nodes().get(1)), ClusterTest.patient().maxOutage(Duration.ofSeconds(3)))) {
            assertThatThrownBy(() -> client.getLock("order").lock())
                    .isInstanceOfSatisfying(
                            LockUnavailableException.class,
                            unavailable -> assertThat(unavailable.reason()).isEqualTo(FailureReason.UNREACHABLE))
                    .hasMessageContaining(".invalid:700");
        }
    }

    /** The nodes know nothing of the way that the client comes, and announce their own addresses, which are closed to it. */
    @Test
    void aSeedBehindAddressTranslationIsEnough() throws Exception {
        try (ServerCluster cluster = masters().start();
                Detours detours = cluster.detours()) {
            Map<NodeAddress, NodeAddress> ways = new HashMap<>();
            detours.addresses()
                    .forEach((announced, reachable) ->
                            ways.put(NodeAddress.parse(announced), NodeAddress.parse(reachable)));
            FaultProxy seed = detours.to(cluster.nodes().get(2));
            try (LockClient client = connect(
                    "redis-cluster://" + seed.host() + ":" + seed.port(),
                    ClusterTest.patient().addressMapper(AddressMapper.of(ways)))) {
                locksAtAllNodes(cluster, client);
                RedisServer cutOff = cluster.masters().get(0);
                detours.partition(cutOff);
                assertThatThrownBy(() -> client.getLock(nameAt(cluster, cutOff)).tryLock(1, TimeUnit.SECONDS))
                        .isInstanceOf(LockException.class);
                detours.heal(cutOff);
                client.getLock(nameAt(cluster, cutOff)).acquire().close();
            }
        }
    }

    private static String nameAt(ServerCluster cluster, RedisServer master) {
        int i = 0;
        while (cluster.masterOf(Stored.key("at-" + i)) != master) {
            i++;
        }
        return "at-" + i;
    }

    @ParameterizedTest
    @EnumSource(names = {"OFF", "SERVER"})
    void announcedPortsThatAreMappedAreFollowed(TlsMode mode) throws Exception {
        try (ServerCluster cluster = masters().tls(mode).announcedByProxies().start()) {
            ClientOptions.Builder options = ClusterTest.patient();
            if (mode != TlsMode.OFF) {
                options.tls(TrustedTls.tls(cluster.nodes().get(0)));
            }
            try (LockClient client = connect(cluster.url(), options)) {
                locksAtAllNodes(cluster, client);
                assertThat(connectedNodes(client))
                        .isEqualTo(cluster.nodes().stream()
                                .map(cluster::addressOf)
                                .collect(Collectors.toCollection(TreeSet::new)));
            }
        }
    }

    /**
     * A host that is not told is that of the node that was asked, which here is called by another name than its address. With names
     * preferred that are none, it is {@code ?}.
     */
    @ParameterizedTest
    @ValueSource(strings = {"unknown-endpoint", "hostname"})
    void nodesWithoutAHostAreAtTheHostThatWasAsked(String preferred) throws Exception {
        try (ServerCluster cluster = masters()
                        .nodes(node -> node.option("cluster-preferred-endpoint-type", preferred))
                        .start();
                LockClient client = connect(
                        "redis-cluster://localhost:" + cluster.nodes().get(0).port(), ClusterTest.patient())) {
            locksAtAllNodes(cluster, client);
            assertThat(connectedNodes(client)).hasSize(3).allMatch(node -> node.startsWith("localhost:"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OFF", "SERVER"})
    void announcedNamesAreLookedUp(TlsMode mode) throws Exception {
        try (ServerCluster cluster = masters()
                .tls(mode)
                .nodes(node -> node.option("cluster-announce-hostname", "localhost")
                        .option("cluster-preferred-endpoint-type", "hostname"))
                .start()) {
            ClientOptions.Builder options = ClusterTest.patient();
            if (mode != TlsMode.OFF) {
                options.tls(TrustedTls.tls(cluster.nodes().get(0)));
            }
            try (LockClient client = connect(cluster.url(), options)) {
                locksAtAllNodes(cluster, client);
                assertThat(connectedNodes(client)).hasSize(3).allMatch(node -> node.startsWith("localhost:"));
            }
        }
    }

    @Test
    void theFirstHostOfTheAddressIsVerifiedForAnnouncedIpAddresses(@TempDir Path folder) throws Exception {
        Certificates authority = Certificates.newAuthority();
        // Nodes verify no names among themselves.
        ServerTls oneName = new ServerTls(authority, authority.server("localhost"), false);
        Path trusted = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        TlsOptions bySeed = TlsOptions.builder()
                .trustCertificates(trusted)
                .verifySeedName(true)
                .build();
        try (ServerCluster cluster = masters().tls(oneName).start();
                LockClient client = connect(
                        "rediss-cluster://localhost:" + cluster.nodes().get(0).port(),
                        ClusterTest.patient().tls(bySeed))) {
            locksAtAllNodes(cluster, client);
            assertThat(connectedNodes(client)).hasSize(3).allMatch(node -> node.startsWith("127.0.0.1:"));
        }
    }
}
