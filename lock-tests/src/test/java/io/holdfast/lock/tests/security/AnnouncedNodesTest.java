package io.holdfast.lock.tests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.ServerTls;
import io.holdfast.lock.tests.support.OurConnections;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are announced at addresses which certificates don't have, or which the client can't reach. */
@Tag("proof")
class AnnouncedNodesTest {

    @TempDir
    Path folder;

    @Test
    void theFirstHostOfTheAddressIsVerifiedForAnnouncedIpAddresses() throws Exception {
        Certificates authority = Certificates.newAuthority();
        // Sentinels and replicas don't verify names.
        ServerTls oneName = new ServerTls(authority, authority.server("localhost"), false);
        Path trusted = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        TlsOptions plainly = TlsOptions.builder().trustCertificates(trusted).build();
        TlsOptions bySeed = plainly.toBuilder().verifySeedName(true).build();
        try (SentinelGroup group = SentinelGroup.builder().tls(oneName).start()) {
            String url = group.url().replace("127.0.0.1", "localhost");
            assertThatThrownBy(() -> LockClient.connect(url, options(plainly)).close())
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.TLS));
            try (LockClient client = LockClient.connect(url, options(bySeed))) {
                assertLocks(client);
                failOver(group);
                assertLocks(client);
            }
        }
    }

    @Test
    void aMapperLeadsToServersBehindForwardedPorts() throws Exception {
        try (SentinelGroup group = SentinelGroup.start();
                Detours forwarded = group.detours()) {
            Map<NodeAddress, NodeAddress> reachable = new ConcurrentHashMap<>();
            forwarded
                    .addresses()
                    .forEach((announced, at) -> reachable.put(NodeAddress.parse(announced), NodeAddress.parse(at)));
            ClientOptions options = ClientOptions.builder()
                    .addressMapper(AddressMapper.of(reachable))
                    .build();
            String oneSentinel = forwarded.url().replaceAll(",[^/]*/", "/");
            try (LockClient client = LockClient.connect(oneSentinel, options)) {
                assertLocks(client);
                assertThat(forwarded.to(group.primary()).connections()).isNotEmpty();
                failOver(group);
                assertLocks(client);
                assertThat(forwarded.to(group.primary()).connections()).isNotEmpty();
            }
        }
    }

    private static void failOver(SentinelGroup group) {
        RedisServer old = group.primary();
        group.failOver();
        OurConnections.awaitNoneAt(old);
    }

    private static void assertLocks(LockClient client) throws InterruptedException {
        try (LockHold hold = client.getLock("announced").acquire()) {
            assertThat(hold.fencingToken()).isPositive();
        }
    }

    private static ClientOptions options(TlsOptions tls) {
        return ClientOptions.builder().tls(tls).build();
    }
}
