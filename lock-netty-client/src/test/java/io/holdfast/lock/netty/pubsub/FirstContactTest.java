package io.holdfast.lock.netty.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.testkit.NeedsServer;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A subscription before the first call, at a server that tells messages at the node of their slot. */
@NeedsServer(major = 7, because = "messages of a slot travel at its node since then")
class FirstContactTest {

    private static final String CHANNEL = "{stock}:free";

    /** What a subscriber hears, in its order. */
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final Wakeup wakeup = new Wakeup() {

        @Override
        public void ready() {
            heard.add("ready");
        }

        @Override
        public void silent() {
            heard.add("silent");
        }

        @Override
        public void message(String text) {
            heard.add(text);
        }
    };

    @Test
    void theFirstConnectionForMessagesIsTheRightOne() {
        try (RedisServer server = RedisServer.builder().mode(ServerMode.CLUSTER).start()) {
            listenFirst(server, "ready", "1");
        }
    }

    /** Then the connection for messages can't know, and is made anew when the one for scripts has found out. */
    @Test
    void withoutHelloItIsMadeAnewWithoutAWarning() {
        try (RedisServer server = RedisServer.builder()
                .mode(ServerMode.CLUSTER)
                .option("rename-command", "HELLO", "\"\"")
                .start()) {
            listenFirst(server, "ready", "silent", "ready", "1");
        }
    }

    private void listenFirst(RedisServer server, String... expected) {
        try (Logs logs = new Logs();
                RawRedis raw = server.connect();
                TestNode node = TestNode.lazy(TestNode.settings(server.url()))) {
            node.subscribe(CHANNEL, wakeup);
            await().untilAsserted(() -> assertThat(heard).containsExactly("ready"));
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            awaitSharded(raw);
            raw.command("SPUBLISH", CHANNEL, "1");
            await().untilAsserted(() -> assertThat(heard).containsExactly(expected));
            assertThat(logs.ours(Level.WARN)).noneMatch(line -> line.contains("messages travel"));
        }
    }

    private static void awaitSharded(RawRedis raw) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> raw.list("PUBSUB", "SHARDNUMSUB", CHANNEL).get(1).equals("1"));
    }
}
