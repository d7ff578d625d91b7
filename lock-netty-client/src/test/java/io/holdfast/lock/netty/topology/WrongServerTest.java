package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServerBuilder;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.testkit.ServerMode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that lead to a server which must not keep locks, though it would take them. */
class WrongServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Far below the connect timeout. */
    private static final Duration AT_ONCE = Duration.ofMillis(2_000);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReplicaIsRefusedAtOnce(boolean knowsHello) {
        aReplicaIsRefused(knowsHello, "yes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWritableReplicaIsRefusedAtOnce(boolean knowsHello) {
        aReplicaIsRefused(knowsHello, "no");
    }

    private static void aReplicaIsRefused(boolean knowsHello, String readOnly) {
        try (ReplicatedPair pair = ReplicatedPair.start(
                1, builder -> knowing(builder, knowsHello).option("replica-read-only", readOnly))) {
            Fault fault = refusal(replica(pair));
            assertThat(fault.kind()).isEqualTo(Kind.READONLY);
            assertThat(fault.detail()).contains("this is a replica", "(expected: its primary)");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSentinelIsRefusedAtOnce(boolean knowsHello) {
        try (RedisServer sentinel = knowing(RedisServer.builder(), knowsHello)
                .mode(ServerMode.SENTINEL)
                .start()) {
            Fault fault = refusal(sentinel);
            assertThat(fault.kind()).isEqualTo(Kind.SENTINEL);
            assertThat(fault.detail()).contains("this is a Sentinel", "(expected: ");
        }
    }

    @Test
    void aReplicaIsRefusedToAUserWhoMayNotSayHello() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                RawRedis raw = replica(pair).connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all", "-hello");
            Fault fault =
                    refusal("redis://ann:secret@127.0.0.1:" + replica(pair).port());
            assertThat(fault.kind()).isEqualTo(Kind.READONLY);
        }
    }

    @Test
    void aUserWhoMayAskNothingIsLetIn() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all", "-hello", "-info");
            try (TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
                assertThat(node.echo("hello").await()).isEqualTo("hello");
            }
        }
    }

    /** At a reconnect both are passing faults: calls fail with them at once, and work when the primary is back. */
    @Test
    void aReplicaAtAReconnectIsLookedUpAgain() {
        try (RedisServer primary = RedisServer.start();
                RedisServer server =
                        RedisServer.builder().option("replica-read-only", "no").start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("REPLICAOF", "127.0.0.1", String.valueOf(primary.port()));
            raw.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            await().until(() ->
                    node.send(TestNode.SET, "key", "value", PATIENCE).await() instanceof Fault fault
                            && fault.kind() == Kind.READONLY
                            && !fault.maybeApplied());

            raw.command("REPLICAOF", "NO", "ONE");
            await().until(() ->
                    node.send(TestNode.SET, "key", "value", PATIENCE).await().equals("OK"));
        }
    }

    /** A call that writes nothing, such as that of a waiter, is answered by a replica as if nothing had happened. */
    @Test
    void aPrimaryThatIsDemotedIsLeftThoughItsConnectionStands() {
        try (RedisServer primary = RedisServer.start();
                RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(TestNode.settings(server.url(), Duration.ofMillis(200), 100))) {
            raw.command("REPLICAOF", "127.0.0.1", String.valueOf(primary.port()));
            await().untilAsserted(() -> assertThat(node.echo("hello").await())
                    .isInstanceOfSatisfying(
                            Fault.class, fault -> assertThat(fault.kind()).isEqualTo(Kind.READONLY)));
        }
    }

    @Test
    void aServerThatDoesNotTellItsRoleIsKept() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all", "-info");
            String url = "redis://ann:secret@127.0.0.1:" + server.port();
            try (TestNode node = TestNode.connect(TestNode.settings(url, Duration.ofMillis(50), 100))) {
                await().until(() -> raw.command("ACL", "LOG").toString().contains("info"));
                assertThat(node.echo("hello").await()).isEqualTo("hello");
            }
        }
    }

    /** The first connection of a lazy client is no other than a later one. */
    @Test
    void aLazyNodeWaitsForTheReplicaToBecomeAPrimary() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                TestNode node = TestNode.lazy(TestNode.settings(replica(pair).url()))) {
            assertThat(node.echo("first").fault().kind()).isEqualTo(Kind.READONLY);
            pair.promote(replica(pair));
            await().until(() -> node.echo("later").await().equals("later"));
        }
    }

    @Test
    void messagesOfAReplicaArrive() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                RawRedis raw = pair.primary().connect();
                TestNode node = TestNode.lazy(TestNode.settings(replica(pair).url()))) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            await().until(() -> {
                raw.command("PUBLISH", "news", "hello");
                return news.contains("hello");
            });
        }
    }

    /** A former primary of a cluster says so in place of READONLY, and its address may lead to the new one. */
    @Test
    void aServerThatRedirectsIsLookedUpAgain() throws IOException {
        try (FakeServer server = FakeServer.start(command -> "-MOVED 3999 127.0.0.1:6381\r\n");
                TestNode node = TestNode.connect(server.url())) {
            Fault fault = node.echo("hello").fault();
            assertThat(fault.kind()).isEqualTo(Kind.MOVED);
            assertThat(fault.maybeApplied()).isFalse();
            assertThat(fault.detail()).contains("another node keeps this lock (expected: ");
            await().untilAsserted(
                            () -> assertThat(node.news).contains("down MOVED").hasSizeGreaterThan(2));
        }
    }

    @Test
    void aServerInClusterModeHasAShardForEachSlot() {
        try (RedisServer cluster =
                        RedisServer.builder().mode(ServerMode.CLUSTER).start();
                RedisServer single = RedisServer.start();
                TestNode inCluster = TestNode.connect(cluster.url());
                TestNode alone = TestNode.connect(single.url())) {
            assertThat(inCluster.node.shard(7))
                    .isEqualTo(inCluster.node.shard(7))
                    .isNotEqualTo(inCluster.node.shard(8));
            assertThat(alone.node.shard(7)).isEqualTo(alone.node.shard(8));
        }
    }

    private static RedisServer replica(ReplicatedPair pair) {
        return pair.replicas().get(0);
    }

    private static RedisServerBuilder knowing(RedisServerBuilder builder, boolean knowsHello) {
        return knowsHello ? builder : builder.option("rename-command", "HELLO", "\"\"");
    }

    private static Fault refusal(RedisServer server) {
        return refusal(server.url());
    }

    /** Why connecting fails, as the caller of connect hears it, and long before the connect timeout. */
    private static Fault refusal(String url) {
        try (TestNode node = TestNode.lazy(TestNode.settings(url))) {
            long start = System.nanoTime();
            Throwable thrown = catchThrowable(
                    () -> node.node.connect().toCompletableFuture().join());
            assertThat(thrown).hasCauseInstanceOf(ConnectFailedException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
            return ((ConnectFailedException) thrown.getCause()).fault();
        }
    }
}
