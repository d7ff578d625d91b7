package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RedisTest
class UnixSocketTest {

    @ParameterizedTest
    @EnumSource(
            value = IoTransport.class,
            names = {"AUTO", "NIO"})
    void scriptsAndMessagesGoOverTheSocket(IoTransport transport, RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.over(transport, server.socketUrl())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(raw.text("CLIENT", "LIST").lines().filter(line -> line.contains("server.sock:0")))
                    .hasSize(2);
        }
    }

    @Test
    void aDatabaseIsSelected(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.socketUrl() + "?database=3")) {
            node.send(TestNode.SET, "key", "there", Duration.ofSeconds(20)).await();
            raw.command("SELECT", "3");
            assertThat(raw.text("GET", "key")).isEqualTo("there");
            raw.command("SELECT", "0");
        }
    }

    @Test
    void aReconnectLeavesTheOtherClientsOfTheSocketAlone(RedisServer server, RawRedis raw) {
        try (TestNode other = TestNode.connect(server.socketUrl());
                TestNode node = TestNode.connect(server.socketUrl())) {
            String id = latestOfTheSocket(raw);
            raw.command("CLIENT", "KILL", "ID", id);
            await().until(() -> node.news.size() == 3);
            assertThat(node.echo("again").await()).isEqualTo("again");
            assertThat(other.news).hasSize(1);
        }
    }

    @Test
    void aFileThatIsMissingOrNoSocketIsSaid(@TempDir Path directory) throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no socket");
        assertThat(faultOf(directory.resolve("none")).detail()).containsIgnoringCase("no such file");
        Fault refused = faultOf(text);
        assertThat(refused.node()).isEqualTo(text.toString());
        assertThat(refused.detail()).startsWith("Connection refused");
    }

    private static String latestOfTheSocket(RawRedis raw) {
        return raw.text("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains("server.sock:0"))
                .reduce((earlier, later) -> later)
                .map(line -> line.substring("id=".length(), line.indexOf(' ')))
                .orElseThrow();
    }

    /** Why no connection comes about in 300 ms. */
    private static Fault faultOf(Path file) {
        try (TestNode node = TestNode.lazy(TestNode.settings("unix://" + file, Duration.ofMillis(300)))) {
            Throwable failure = catchThrowable(
                    () -> node.node.connect().toCompletableFuture().join());
            return ((ConnectFailedException) failure.getCause()).fault();
        }
    }
}
