package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@RedisTest
class MessagesTest {

    @Test
    void manyListenersOfManyChannelsShareOneConnection(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            List<List<String>> news = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                news.add(new CopyOnWriteArrayList<>());
                node.subscribe("channel " + i % 1_000, Recorder.into(news.get(i)));
            }
            await().until(() -> news.stream().allMatch(heard -> heard.contains("ready")));
            assertThat(named(raw)).isEqualTo(2);
            for (int i = 0; i < 1_000; i++) {
                raw.command("PUBLISH", "channel " + i, "message " + i);
            }
            await().until(() -> news.stream().allMatch(heard -> heard.size() == 2));
            for (int i = 0; i < 2_000; i++) {
                assertThat(news.get(i)).containsExactly("ready", "message " + i % 1_000);
            }
        }
    }

    @Test
    void theLastListenerUnsubscribes(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            List<String> first = new CopyOnWriteArrayList<>();
            List<String> second = new CopyOnWriteArrayList<>();
            Subscription one = node.subscribe("news", Recorder.into(first));
            Subscription two = node.subscribe("news", Recorder.into(second));
            await().until(() -> first.contains("ready") && second.contains("ready"));
            one.close();
            one.close();
            raw.command("PUBLISH", "news", "hello");
            await().untilAsserted(() -> assertThat(second).containsExactly("ready", "hello"));
            assertThat(first).containsExactly("ready");
            two.close();
            await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
        }
    }

    @Test
    void aListenerOfAConfirmedChannelIsReadyAtOnce(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            List<String> first = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(first));
            await().until(() -> first.contains("ready"));
            raw.command("CONFIG", "RESETSTAT");
            List<String> second = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(second));
            await().until(() -> second.contains("ready"));
            assertThat(raw.calls("subscribe")).isZero();
            assertThat(first).containsExactly("ready");
        }
    }

    /** Rule 29. */
    @Test
    void comingAndGoingQuicklyEndsInARealSubscription(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            for (int round = 0; round < 200; round++) {
                List<String> ignored = new CopyOnWriteArrayList<>();
                List<String> heard = new CopyOnWriteArrayList<>();
                String channel = "channel " + round;
                for (int i = 0; i < round % 5; i++) {
                    node.subscribe(channel, Recorder.into(ignored)).close();
                }
                Subscription last = node.subscribe(channel, Recorder.into(heard));
                await().pollInterval(Duration.ofMillis(1)).until(() -> heard.contains("ready"));
                assertThat(raw.integer("PUBLISH", channel, "hello")).isEqualTo(1);
                await().pollInterval(Duration.ofMillis(1)).until(() -> heard.contains("hello"));
                last.close();
            }
            await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
        }
    }

    /** Row 21. */
    @Test
    void aKilledConnectionIsReplacedAndTold(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            for (int round = 1; round <= 5; round++) {
                int confirmations = round;
                await().untilAsserted(() -> assertThat(news).hasSize(confirmations));
                raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            }
            await().untilAsserted(() -> assertThat(news).hasSize(6).containsOnly("ready"));
            assertThat(node.news).as("the other connection").hasSize(1);
        }
    }

    /** Row 23. */
    @Test
    void anOverrunOutputBufferIsLikeALostConnection(RedisServer server, RawRedis raw) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connect(TestNode.settings(proxy.url(), Duration.ofSeconds(30), 1_000))) {
            List<String> news = new CopyOnWriteArrayList<>();
            raw.command("CONFIG", "SET", "client-output-buffer-limit", "pubsub 1mb 512kb 1");
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            proxy.connections().get(1).holdReplies();
            // Valkey from 9.0 on copies no larger messages, and does not count them.
            String message = "x".repeat(15_000);
            await().until(() -> IntStream.range(0, 32)
                    .mapToLong(i -> raw.integer("PUBLISH", "news", message))
                    .anyMatch(listeners -> listeners == 0));
            proxy.heal();
            await().until(() -> news.stream().filter("ready"::equals).count() == 2);
        }
    }

    /** Rows 20 and 24, for the connection that waits in silence. */
    @Test
    void aDeadConnectionIsFoundByItsHeartbeat(RedisServer server, RawRedis raw) {
        try (FaultProxy proxy = FaultProxy.to(server);
                TestNode node = TestNode.connectNervously(proxy.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            proxy.connections().get(1).swallowReplies();
            await().untilAsserted(() -> assertThat(news).containsExactly("ready", "ready"));
            raw.command("PUBLISH", "news", "hello");
            await().until(() -> news.contains("hello"));
            assertThat(node.news).as("the other connection").hasSize(1);
        }
    }

    /** Row 21. */
    @Test
    void aRevokedChannelIsAskedForAgain(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "resetchannels", "&news", "+@all");
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
            List<String> news = new CopyOnWriteArrayList<>();
            List<String> other = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            node.subscribe("forbidden", Recorder.into(other));
            await().until(() -> news.contains("ready"));
            await().until(() -> logs.ours(Level.WARN).stream().anyMatch(line -> line.contains("forbidden")));
            assertThat(other).isEmpty();
            raw.command("ACL", "SETUSER", "ann", "&forbidden");
            await().untilAsserted(() -> assertThat(other).containsExactly("ready"));
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("subscribe"))
                    .hasSize(1);
        }
    }

    private static long named(RawRedis raw) {
        return raw.clients().stream()
                .filter(client -> "test".equals(client.get("name")))
                .count();
    }
}
