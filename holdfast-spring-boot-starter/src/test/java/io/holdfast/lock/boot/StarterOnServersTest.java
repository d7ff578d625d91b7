package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static io.holdfast.lock.boot.Starter.withRedis;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.TlsMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with nothing but Spring Boot's properties of Redis, and with our own, at real servers. */
@Tag("proof")
class StarterOnServersTest {

    @TempDir
    Path directory;

    @Test
    void aServerWithAUser() {
        try (RedisServer redis = RedisServer.start();
                RawRedis admin = redis.connect()) {
            admin.command("ACL", "SETUSER", "locks", "on", ">p@ss/w:rd", "~*", "&*", "+@all");
            ApplicationContextRunner user = withRedis()
                    .withPropertyValues(at(redis), "spring.data.redis.port=" + redis.port())
                    .withPropertyValues(
                            "spring.data.redis.username=locks",
                            "spring.data.redis.password=p@ss/w:rd",
                            "spring.data.redis.database=3");
            locks(user);
            assertThat(admin.map("ACL", "LOG")).isEmpty();
        }
    }

    @Test
    void aServerWithTlsByABundle() throws Exception {
        try (RedisServer redis = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            Path authority = directory.resolve("authority.pem");
            Files.writeString(authority, redis.tls().authority().pem());
            String bundle = "spring.ssl.bundle.pem.store.truststore.certificate=file:" + authority;
            locks(withRedis()
                    .withPropertyValues(
                            at(redis),
                            "spring.data.redis.port=" + redis.port(),
                            bundle,
                            "spring.data.redis.ssl.bundle=store"));
            locks(withRedis().withPropertyValues("holdfast.url=" + redis.url(), bundle, "holdfast.tls.bundle=store"));
            locks(alone().withPropertyValues(
                            "holdfast.url=" + redis.url(), "holdfast.tls.trust-certificates=" + authority));
        }
    }

    @Test
    void aPrimaryThatSentinelsName() {
        try (SentinelGroup group = SentinelGroup.builder()
                .replicas(1)
                .password("servers")
                .sentinelPassword("sentinels")
                .start()) {
            String nodes = group.sentinels().stream().map(group::addressOf).collect(Collectors.joining(","));
            locks(withRedis()
                    .withPropertyValues(
                            "spring.data.redis.password=servers",
                            "spring.data.redis.sentinel.master=" + group.name(),
                            "spring.data.redis.sentinel.nodes=" + nodes,
                            "spring.data.redis.sentinel.password=sentinels"));
        }
    }

    @Test
    void aClusterWithTlsByABundle() throws Exception {
        try (ServerCluster cluster = ServerCluster.builder()
                .replicas(0)
                .password("servers")
                .tls(TlsMode.SERVER)
                .start()) {
            Path authority = directory.resolve("authority.pem");
            Files.writeString(
                    authority, cluster.nodes().get(0).tls().authority().pem());
            String bundle = "spring.ssl.bundle.pem.store.truststore.certificate=file:" + authority;
            locks(withRedis()
                    .withPropertyValues(
                            "spring.data.redis.cluster.nodes="
                                    + cluster.addressOf(cluster.nodes().get(1)),
                            "spring.data.redis.password=servers",
                            bundle,
                            "spring.data.redis.ssl.bundle=store"));
            locks(withRedis()
                    .withPropertyValues(
                            "holdfast.url=" + cluster.url(),
                            "holdfast.password=servers",
                            bundle,
                            "holdfast.tls.bundle=store"));
        }
    }

    @Test
    void aQuorumOfServers() {
        try (RedisServers redis = RedisServers.start(3)) {
            locks(alone().withPropertyValues(
                            "holdfast.urls=" + String.join(",", redis.urls()), "holdfast.quorum.node-timeout=50ms"));
            try (RawRedis second = redis.get(1).connect()) {
                assertThat(second.list("KEYS", "holdfast:*")).isNotEmpty();
            }
        }
    }

    private static String at(RedisServer redis) {
        return "spring.data.redis.host=" + redis.host();
    }

    private static void locks(ApplicationContextRunner application) {
        application.withPropertyValues("spring.application.name=shop").run(context -> {
            assertThat(context).hasNotFailed();
            LockClient client = context.getBean(LockClient.class);
            try (LockHold hold = client.getLock("order:1").acquire()) {
                assertThat(hold.fencingToken()).isPositive();
                assertThat(List.copyOf(client.inspect("order:1").holders())).hasSize(1);
            }
        });
    }
}
