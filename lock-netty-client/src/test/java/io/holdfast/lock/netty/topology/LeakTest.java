package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.netty.util.ResourceLeakDetector;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transport that works here answers, reconnects and gives every buffer back. */
@Tag("proof")
@RedisTest
class LeakTest {

    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

    @BeforeEach
    void beParanoid() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void relax() {
        ResourceLeakDetector.setLevel(levelBefore);
    }

    @ParameterizedTest
    @EnumSource(
            value = IoTransport.class,
            names = {"NIO", "AUTO"})
    void noBufferIsLost(IoTransport transport, RedisServer server, RawRedis raw) {
        try (Logs logs = new Logs()) {
            for (int round = 0; round < 3; round++) {
                try (TestNode node = TestNode.over(transport, server.url())) {
                    CopyOnWriteArrayList<String> news = new CopyOnWriteArrayList<>();
                    node.subscribe("news", Recorder.into(news));
                    await().until(() -> news.contains("ready"));
                    for (int i = 0; i < 1_000; i++) {
                        node.echo("x".repeat(i));
                    }
                    raw.command("CLIENT", "KILL", "TYPE", "normal");
                    raw.command("CLIENT", "KILL", "TYPE", "pubsub");
                    await().until(() -> node.echo("after").await().equals("after"));
                }
                System.gc();
            }
            try (TestNode node = TestNode.over(transport, server.url())) {
                // Leaks are reported when buffers are made after their predecessors were collected.
                for (int i = 0; i < 1_000; i++) {
                    node.echo("x");
                }
                assertThat(node.echo("last").await()).isEqualTo("last");
            }
            assertThat(logs.everything().filter(line -> line.contains("LEAK"))).isEmpty();
        }
    }
}
