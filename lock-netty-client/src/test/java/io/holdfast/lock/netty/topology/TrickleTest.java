package io.holdfast.lock.netty.topology;

import static io.holdfast.lock.netty.topology.FakeServer.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What arrives from a dead peer all the time does not keep the connection to it. */
@Tag("proof")
class TrickleTest {

    @Test
    void pushesAreNoSignOfLife() throws IOException {
        try (FakeServer server = FakeServer.start(command -> "");
                TestNode node = TestNode.connectNervously(server.url())) {
            Probe call = node.echo("x");
            sayUntil(server, ">2\r\n+invalidate\r\n*0\r\n", call.outcome::isDone);
            assertThat(call.fault().kind()).isEqualTo(Kind.DISCONNECTED);
            assertThat(call.fault().detail()).contains("no sign of life");
        }
    }

    @Test
    void pushesDoNotKeepAnIdleConnection() throws IOException {
        try (FakeServer server = FakeServer.start(command -> "");
                TestNode node = TestNode.connectNervously(server.url())) {
            sayUntil(server, ">1\r\n+whatever\r\n", () -> node.news.contains("down DISCONNECTED"));
        }
    }

    @Test
    void singleBytesOfAnAnswerAreNoSignOfLife() throws IOException {
        try (FakeServer server = FakeServer.start(command -> command.get(0).equals("EVALSHA")
                        ? FakeServer.numbered(FakeServer.numberOf(command), "$1000000\r\n")
                        : answerTo(command, ""));
                TestNode node = TestNode.connectNervously(server.url())) {
            Probe call = node.echo("x");
            sayUntil(server, "x", call.outcome::isDone);
            assertThat(call.fault().kind()).isEqualTo(Kind.DISCONNECTED);
        }
    }

    @Test
    void messagesAreNoSignOfLife() throws IOException {
        try (FakeServer server = FakeServer.start(command -> switch (command.get(0)) {
                    case "SUBSCRIBE" -> ">3\r\n+subscribe\r\n+news\r\n:1\r\n";
                    case "PING" -> "";
                    default -> answerTo(command, "");
                });
                TestNode node = TestNode.connect(TestNode.settings(server.url(), Duration.ofMillis(500), 10))) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            sayUntil(
                    server,
                    ">3\r\n+message\r\n+news\r\n+hello\r\n",
                    () -> news.stream().filter("ready"::equals).count() == 2);
            assertThat(news).contains("hello");
        }
    }

    private static void sayUntil(FakeServer server, String bytes, BooleanSupplier over) {
        await().pollInterval(Duration.ofMillis(50)).until(() -> {
            server.say(bytes);
            return over.getAsBoolean();
        });
    }
}
