package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SingleNodeTest {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void answersScripts() {
        try (TestNode node = TestNode.connect(server.url())) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
        }
    }

    @Tag("proof")
    @Test
    void pipelinesAndKeepsAnswersInOrder() {
        try (TestNode node = TestNode.connectPatiently(server.url())) {
            List<Probe> probes = IntStream.range(0, 10_000)
                    .mapToObj(i -> node.echo("value " + i))
                    .toList();
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("value " + i);
            }
        }
    }

    @Test
    void allCallsShareOneConnection() {
        try (TestNode node = TestNode.connect(server.url());
                RawRedis raw = server.connect()) {
            for (int i = 0; i < 8; i++) {
                node.echo("value " + i).await();
            }
            await().untilAsserted(() -> assertThat(raw.clients())
                    .as("the node's connection, and the one that looks")
                    .hasSize(2));
        }
    }

    @Test
    void hearsMessages() {
        List<String> news = new CopyOnWriteArrayList<>();
        try (TestNode node = TestNode.connect(server.url());
                RawRedis raw = server.connect()) {
            node.subscribe("news", recording(news));
            await().until(() -> news.contains("ready"));
            raw.command("PUBLISH", "news", "hello");
            await().untilAsserted(() -> assertThat(news).containsExactly("ready", "hello"));
        }
    }

    private static Wakeup recording(List<String> news) {
        return new Wakeup() {
            @Override
            public void ready() {
                news.add("ready");
            }

            @Override
            public void message(String text) {
                news.add(text);
            }
        };
    }
}
