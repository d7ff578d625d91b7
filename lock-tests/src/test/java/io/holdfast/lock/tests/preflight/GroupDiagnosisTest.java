package io.holdfast.lock.tests.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.TrustedTls;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LockClient#diagnose()} where several servers are one client's: Sentinels, replicas, quorums; TLS and sockets. */
@Tag("proof")
class GroupDiagnosisTest {

    /** What a server of before 7.0 can't tell, that the servers here forget when they end, and how old they are. */
    private static final Set<Code> OF_THE_SERVERS_HERE =
            Set.of(Code.UNKNOWN_RIGHTS, Code.NO_PERSISTENCE, Code.KNOWN_VULNERABILITY);

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void aGroupWithTlsAndPasswordsIsAskedAsAWhole() {
        try (SentinelGroup group = SentinelGroup.builder()
                .tls(TlsMode.MUTUAL)
                .announcedHost("localhost")
                .password("canary of the servers")
                .sentinelPassword("canary of the Sentinels")
                .start()) {
            ClientOptions options = patient()
                    .tls(TrustedTls.tls(group.servers().get(0)))
                    .credentials(CredentialsProvider.of(Credentials.ofPassword("canary of the servers")))
                    .sentinel(SentinelOptions.builder()
                            .credentials(CredentialsProvider.of(Credentials.ofPassword("canary of the Sentinels")))
                            .build())
                    .build();
            try (LockClient client = LockClient.connect(group.url(), options)) {
                List<Finding> findings = known(client.diagnose());
                assertThat(codes(findings))
                        .containsExactlyInAnyOrder(Code.REPLICAS_NOT_WAITED_FOR, Code.MIN_REPLICAS_UNSET);
                assertThat(group.servers()).allSatisfy(server -> assertThat(
                                of(Code.MIN_REPLICAS_UNSET, findings).node())
                        .contains(":" + server.port()));
                assertThat(findings.toString()).doesNotContain("canary");
            }
        }
    }

    @Test
    void aGroupThatInsistsOnReplicasAndWaitsForThemHasNothingToFind() {
        try (SentinelGroup group = SentinelGroup.builder()
                .servers(server -> server.option("min-replicas-to-write", "1"))
                .start()) {
            try (LockClient client = LockClient.connect(group.url(), waitingFor(1))) {
                assertThat(known(client.diagnose())).isEmpty();
            }
            try (LockClient client = LockClient.connect(group.url(), waitingFor(3))) {
                Finding finding = of(Code.TOO_FEW_REPLICAS, client.diagnose());
                assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                assertThat(finding.seen()).isEqualTo("2 replicas are in step, and each grant waits for 3");
            }
        }
    }

    @Test
    void aClientThatWaitsForReplicasIsToldOfTheRightThatItLacks() {
        try (ReplicatedPair pair = ReplicatedPair.start()) {
            pair.awaitInStep();
            String password = "p4ssw0rd-of-app";
            for (RedisServer server : pair.servers()) {
                try (RawRedis admin = server.connect()) {
                    admin.command(MinimalAcl.rule("app", password, MinimalAcl.commands()));
                }
            }
            String url = pair.url().replace("://", "://app:" + password + "@");
            try (LockClient client = LockClient.connect(url, patient().build())) {
                assertThat(missing(client.diagnose(), "+wait"))
                        .hasSize(2)
                        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.NOTE));
            }
            try (LockClient client = LockClient.connect(url, waitingFor(1))) {
                assertThat(missing(client.diagnose(), "+wait")).hasSize(2).allSatisfy(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(finding.remedy()).contains("waitForReplicas");
                });
                for (RedisServer server : pair.servers()) {
                    try (RawRedis admin = server.connect()) {
                        admin.command("ACL", "SETUSER", "app", "+wait");
                    }
                }
                assertThat(missing(client.diagnose(), "+wait")).isEmpty();
                client.getLock("confirmed").lock();
                client.getLock("confirmed").unlock();
            }
        }
    }

    @Test
    void aPartitionedReplicaIsTheOneThatIsNotReached() {
        try (SentinelGroup group = SentinelGroup.start();
                Detours detours = group.detours()) {
            Map<NodeAddress, NodeAddress> ways = new HashMap<>();
            detours.addresses()
                    .forEach((announced, way) -> ways.put(NodeAddress.parse(announced), NodeAddress.parse(way)));
            ClientOptions options = ClientOptions.builder()
                    .addressMapper(AddressMapper.of(ways))
                    .connectTimeout(Duration.ofSeconds(8))
                    .build();
            try (LockClient client = LockClient.connect(detours.url(), options)) {
                assertThat(codes(client.diagnose())).doesNotContain(Code.UNREACHABLE);
                RedisServer replica = group.replicas().get(0);
                detours.partition(replica);
                List<Finding> findings = client.diagnose();
                assertThat(codes(findings)).containsOnlyOnce(Code.UNREACHABLE);
                assertThat(of(Code.UNREACHABLE, findings).node()).contains(":" + replica.port());
                assertThat(of(Code.UNREACHABLE, findings).severity()).isEqualTo(Severity.WARNING);
            }
        }
    }

    @Test
    void aDiagnosisDuringAFailoverEndsAndTheNextOneKnowsTheNewPrimary() {
        try (SentinelGroup group = SentinelGroup.start();
                LockClient client = LockClient.connect(group.url())) {
            RedisServer old = group.primary();
            old.kill();
            assertThat(client.diagnose()).as("while no server is the primary").isNotEmpty();
            RedisServer now = group.awaitOtherPrimary(old);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(client.diagnose())
                    .filteredOn(finding -> finding.code() == Code.REPLICAS_NOT_WAITED_FOR)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.node()).contains(":" + now.port())));
        }
    }

    @Test
    void aQuorumOfServersByTlsIsAskedNodeByNode() {
        try (RedisServer one = RedisServer.builder().tls(TlsMode.SERVER).start();
                RedisServer two = RedisServer.builder().tls(one.tls()).start();
                RedisServer three = RedisServer.builder().tls(one.tls()).start();
                LockClient client = LockClient.connectQuorum(
                        List.of(one.url(), two.url(), three.url()),
                        TrustedTls.options(one, patient().build()),
                        QuorumOptions.defaults())) {
            assertThat(client.diagnose())
                    .filteredOn(finding -> finding.code() == Code.NO_PERSISTENCE)
                    .hasSize(3);
        }
    }

    @Test
    void aUnixSocketLeadsToTheServerLikeAnyAddress() {
        try (RedisServer server = RedisServer.builder()
                        .option("maxmemory-policy", "allkeys-lru")
                        .start();
                LockClient client = LockClient.connect(server.socketUrl())) {
            assertThat(known(client.diagnose())).singleElement().satisfies(finding -> {
                assertThat(finding.code()).isEqualTo(Code.EVICTION);
                assertThat(finding.node()).contains(".sock");
            });
        }
    }

    private static ClientOptions waitingFor(int replicas) {
        return patient().waitForReplicas(replicas, Duration.ofSeconds(20)).build();
    }

    /** A busy machine takes seconds for a handshake of TLS. */
    private static ClientOptions.Builder patient() {
        return ClientOptions.builder().connectTimeout(PATIENCE);
    }

    private static List<Finding> missing(List<Finding> findings, String right) {
        return findings.stream()
                .filter(finding -> finding.code() == Code.MISSING_RIGHT)
                .filter(finding -> finding.remedy().contains(right))
                .toList();
    }

    private static List<Finding> known(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !OF_THE_SERVERS_HERE.contains(finding.code()))
                .toList();
    }

    private static Finding of(Code code, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.code() == code)
                .findFirst()
                .orElseThrow();
    }

    private static List<Code> codes(List<Finding> findings) {
        return findings.stream().map(Finding::code).toList();
    }
}
