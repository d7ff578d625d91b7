package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@RedisTest
class ReconnectTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Script SLOW = new Script("slow", "for i = 1, 20000 do end return ARGV[1]");

    @Test
    void aLossIsToldOnceAndSoIsTheReturn(RedisServer server, RawRedis raw) {
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("CLIENT", "KILL", "TYPE", "normal");
            await().until(() -> node.news.size() == 3);
            assertThat(node.news.get(1)).isEqualTo("down DISCONNECTED");
            assertThat(node.news.get(2)).isEqualTo(node.news.get(0));
            assertThat(logs.ours(Level.WARN)).hasSize(1);
            assertThat(logs.ours(Level.INFO))
                    .hasSize(2)
                    .satisfiesExactly(first -> assertThat(first).startsWith("Connected to "), then -> assertThat(then)
                            .startsWith("Reconnected to "));
        }
    }

    @Test
    void aServerThatIsGoneForAWhileIsNotHammered(RedisServer server) {
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url());
                FaultProxy proxy = FaultProxy.to(server);
                TestNode proxied = TestNode.connect(proxy.url())) {
            proxy.onAccept(FaultProxy.Link::cut);
            proxy.cutAll();
            await().until(() -> proxied.news.size() == 2);
            await().during(Duration.ofMillis(1_000)).until(() -> proxied.news.size() == 2);
            assertThat(proxy.accepted()).isBetween(4, 25);
            assertThat(logs.ours(Level.WARN)).hasSize(1);

            proxy.onAccept(link -> {});
            await().untilAsserted(() -> assertThat(proxied.news).hasSize(3));
            assertThat(node.news).hasSize(1);
        }
    }

    /** Row 24: packets vanish, and nobody says so. */
    @Test
    void aDeadPeerIsFoundByTheHeartbeat(RedisServer server) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connectNervously(proxy.url())) {
            assertThat(node.echo("before").await()).isEqualTo("before");
            long start = System.nanoTime();
            proxy.connections().get(0).swallowRequests();
            await().until(() -> node.news.size() == 3);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThat(node.news.get(1)).isEqualTo("down DISCONNECTED");
            assertThat(node.echo("after").await()).isEqualTo("after");
        }
    }

    @Test
    void aDeadPeerIsFoundWithCallsInFlight(RedisServer server) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connectNervously(proxy.url())) {
            assertThat(node.echo("before").await()).isEqualTo("before");
            proxy.connections().get(0).swallowReplies();
            Probe lost = node.send(TestNode.SET, "key", "value", PATIENCE);
            Fault fault = lost.fault();
            assertThat(fault.kind()).isEqualTo(Kind.DISCONNECTED);
            assertThat(fault.maybeApplied()).isTrue();
            assertThat(fault.detail()).contains("no sign of life");
            assertThat(node.echo("after").await()).isEqualTo("after");
        }
    }

    @Tag("proof")
    @Test
    void aSlowServerIsNotADeadOne(RedisServer server) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connect(proxy.url())) {
            proxy.delayReplies(Duration.ofMillis(300));
            for (int i = 0; i < 10; i++) {
                assertThat(node.echo("call " + i).await()).isEqualTo("call " + i);
            }
            assertThat(node.news).hasSize(1);
        }
    }

    /** Rule 5: the server still has the old connection, and perhaps requests in it, when the new one is made. */
    @Test
    void theEarlierConnectionIsKilledBeforeAnythingIsSent(RedisServer server, RawRedis raw) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connect(proxy.url())) {
            assertThat(node.echo("before").await()).isEqualTo("before");
            String oldId = connection(raw);
            proxy.connections().get(0).cutClient();
            await().until(() -> node.echo("after").await().equals("after"));

            await().untilAsserted(() -> assertThat(named(raw)).hasSize(1));
            assertThat(connection(raw)).isNotEqualTo(oldId);
        }
    }

    /**
     * Rule 5, for real. The server stands still with a long queue of requests in its end of a connection whose other
     * end has vanished. It reads a piece of each connection in turn, so that without the fence the end of the queue runs
     * after a newer connection's calls.
     */
    @Tag("proof")
    @Test
    void whatAnEarlierConnectionLeftDoesNotRunAfterNewerCalls(RedisServer server, RawRedis raw) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connectPatiently(proxy.url())) {
            assertThat(node.send(SLOW, "key", "loaded", PATIENCE).await()).isEqualTo("loaded");
            assertThat(node.send(TestNode.SET, "key", "before", PATIENCE).await())
                    .isEqualTo("OK");
            server.pause();
            long before = proxy.traffic().requestsForwarded();
            for (int i = 0; i < 2_000; i++) {
                node.send(SLOW, "key", "a long queue of requests", PATIENCE);
            }
            Probe orphan = node.send(TestNode.SET, "key", "orphan", PATIENCE);
            proxy.awaitTraffic(traffic -> traffic.requestsForwarded() - before > 2_000 * 111);
            proxy.connections().get(0).cutClient();
            assertThat(orphan.fault().maybeApplied()).isTrue();

            Probe newer = node.send(TestNode.SET, "key", "newer", PATIENCE);
            server.resume();
            assertThat(newer.await()).isEqualTo("OK");
            await().during(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(raw.command("GET", "key")).isEqualTo("newer"));
        }
    }

    @Test
    void aUserWhoMayNotKillIsWarnedOfOnce(RedisServer server, RawRedis raw) {
        raw.command(
                "ACL",
                "SETUSER",
                "ann",
                "on",
                ">secret",
                "allkeys",
                "allchannels",
                "+@all",
                "-client",
                "+client|id",
                "+client|info",
                "+client|setname");
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
            for (int round = 1; round <= 2; round++) {
                raw.command("CLIENT", "KILL", "USER", "ann");
                int news = 1 + 2 * round;
                await().until(() -> node.news.size() == news);
            }
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("CLIENT KILL"))
                    .hasSize(1);
        }
    }

    private static String connection(RawRedis raw) {
        return named(raw).get(0);
    }

    private static List<String> named(RawRedis raw) {
        return raw.clients().stream()
                .filter(client -> "test".equals(client.get("name")))
                .map(client -> client.get("id"))
                .toList();
    }

    @Test
    void aFailedAttemptIsToldAlsoToAListenerThatComesLater(RedisServer server) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.lazy(TestNode.settings(proxy.url()))) {
            proxy.refuse();
            List<String> early = heard(node);
            node.echo("hello");
            await().until(() -> early.contains("unreachable"));
            List<String> late = heard(node);
            await().until(() -> late.contains("unreachable"));

            proxy.heal();

            await().until(() -> early.contains("up") && late.contains("up"));
            List<String> last = heard(node);
            await().untilAsserted(() -> assertThat(last).containsExactly("up"));
        }
    }

    private static List<String> heard(TestNode node) {
        List<String> heard = new CopyOnWriteArrayList<>();
        node.node.listen(new NodeListener() {
            @Override
            public void up(String address, ServerRun run) {
                heard.add("up");
            }

            @Override
            public void down(String address, Fault fault) {
                heard.add("down");
            }

            @Override
            public void unreachable(String address, Fault fault) {
                heard.add("unreachable");
            }
        });
        return heard;
    }
}
