package io.holdfast.lock.netty.topology;

import static io.holdfast.lock.netty.topology.FakeServer.answerTo;
import static io.holdfast.lock.netty.topology.FakeServer.numberOf;
import static io.holdfast.lock.netty.topology.FakeServer.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 70: an answer counts for the request whose number it carries, and for no other. */
class AnswersInStepTest {

    private static final String NO_ANSWER = "";

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void anAnswerWithAnotherNumberEndsTheConnection() throws IOException {
        try (FakeServer server = FakeServer.start(command -> isCall(command) && calls.incrementAndGet() == 1
                        ? numbered(numberOf(command) + 1, "+wrong\r\n")
                        : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            assertThatItMayHaveBeenApplied(node.echo("x"), Kind.PROTOCOL);
            assertThat(node.echo("x").await()).isEqualTo("right");
            assertThat(node.news).contains("down PROTOCOL");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+bare\r\n", ":1\r\n", "_\r\n", "*2\r\n+a\r\n+b\r\n", "*1\r\n:1\r\n", "*-1\r\n"})
    void anAnswerWithoutANumberEndsTheConnection(String bare) throws IOException {
        try (FakeServer server = FakeServer.start(command ->
                        isCall(command) && calls.incrementAndGet() == 1 ? bare : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            assertThatItMayHaveBeenApplied(node.echo("x"), Kind.PROTOCOL);
            assertThat(node.echo("x").await()).isEqualTo("right");
        }
    }

    @Test
    void afterALostAnswerNoCallHasAnothers() throws IOException {
        try (FakeServer server = FakeServer.start(command -> isCall(command) && calls.incrementAndGet() == 1
                        ? NO_ANSWER
                        : answerTo(command, "+" + calls.get() + "\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            Probe lost = node.echo("x");
            Probe next = node.echo("x");
            assertThatItMayHaveBeenApplied(lost, Kind.PROTOCOL);
            assertThatItMayHaveBeenApplied(next, Kind.PROTOCOL);
        }
    }

    @Test
    void afterADoubledAnswerNoCallHasAnothers() throws IOException {
        try (FakeServer server = FakeServer.start(command -> {
                    String answer = answerTo(command, "+" + calls.get() + "\r\n");
                    return isCall(command) && calls.incrementAndGet() == 1 ? answer + answer : answer;
                });
                TestNode node = TestNode.connect(server.url())) {
            Probe doubled = node.echo("x");
            Probe next = node.echo("x");
            assertThat(doubled.await()).isEqualTo("0");
            assertThatItMayHaveBeenApplied(next, Kind.PROTOCOL);
        }
    }

    @Test
    void anotherDigestEndsTheConnection() throws IOException {
        try (FakeServer server =
                        FakeServer.start(command -> command.get(0).equals("SCRIPT") && calls.incrementAndGet() == 1
                                ? "+OK\r\n"
                                : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            assertThatItMayHaveBeenApplied(node.echo("x"), Kind.PROTOCOL);
            assertThat(node.echo("x").await()).isEqualTo("right");
        }
    }

    /** A script without keys is sent as the command that it runs, whose answer has a shape and no number. */
    @ParameterizedTest
    @ValueSource(strings = {"+OK\r\n", "$1\r\n0\r\n", "*2\r\n:1\r\n*0\r\n", "*2\r\n$1\r\n0\r\n$1\r\n0\r\n", "*0\r\n"})
    void anAnswerOfAnotherShapeThanTheCommandsEndsTheConnection(String other) throws IOException {
        Script scan = Script.ofCommand("scan", false, "SCAN", () -> "no server gets this");
        try (FakeServer server = FakeServer.start(
                        command -> command.get(0).equals("SCAN") ? other : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            assertThatItMayHaveBeenApplied(node.send(scan, "0", "COUNT", Duration.ofSeconds(10)), Kind.PROTOCOL);
            assertThat(node.echo("x").await()).isEqualTo("right");
        }
    }

    @Test
    void theHeartbeatsAnswerIsItsOwn() throws IOException {
        try (FakeServer server = FakeServer.start(
                        command -> command.get(0).equals("PING") ? "+OK\r\n" : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connectNervously(server.url())) {
            await().until(() -> node.news.contains("down PROTOCOL"));
        }
    }

    /** A proxy may answer PING itself. That shows no more than a refusal, and ends no connection. */
    @Test
    void aPongWithoutANumberIsASignOfLife() throws IOException {
        AtomicInteger pongs = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> {
                    if (!command.get(0).equals("PING")) {
                        return command.get(0).equals("SUBSCRIBE")
                                ? "-ERR unknown command 'SUBSCRIBE'\r\n"
                                : answerTo(command, "+right\r\n");
                    }
                    pongs.incrementAndGet();
                    return "+PONG\r\n";
                });
                TestNode node = TestNode.connectNervously(server.url())) {
            node.subscribe("news", Recorder.into(new CopyOnWriteArrayList<>()));
            await().until(() -> pongs.get() >= 6);
            assertThat(node.echo("x").await()).isEqualTo("right");
            assertThat(node.news).noneMatch(line -> line.startsWith("down"));
        }
    }

    @Test
    void aPongIsTheAnswerToAPingOnly() throws IOException {
        try (FakeServer server =
                        FakeServer.start(command -> isCall(command) ? "+PONG\r\n" : answerTo(command, "+right\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            assertThatItMayHaveBeenApplied(node.echo("x"), Kind.PROTOCOL);
        }
    }

    @Test
    void theHeartbeatOfMessagesIsAnsweredWithItsNumber() throws IOException {
        AtomicInteger subscriptions = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> {
                    if (command.get(0).equals("SUBSCRIBE")) {
                        subscriptions.incrementAndGet();
                        return ">3\r\n+subscribe\r\n+news\r\n:1\r\n";
                    }
                    return subscriptions.get() == 1 && command.get(0).equals("PING")
                            ? "+OK\r\n"
                            : answerTo(command, "_\r\n");
                });
                TestNode node = TestNode.connectNervously(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().untilAsserted(() -> assertThat(news).containsExactly("ready", "ready"));
        }
    }

    /** With HELLO both connections speak RESP3, without it RESP2, where PING has two forms of answer. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(strings = {"HELLO", "HALLO"})
    void realHeartbeatsEndNoConnection(String hello) {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "HELLO", hello)
                        .start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connectNervously(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> raw.calls("ping") >= 8);
            assertThat(news).containsExactly("ready");
            assertThat(node.news).hasSize(1);
        }
    }

    private static boolean isCall(List<String> command) {
        return command.get(0).equals("EVALSHA");
    }

    private static void assertThatItMayHaveBeenApplied(Probe probe, Kind kind) {
        Fault fault = probe.fault();
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.maybeApplied()).isTrue();
        assertThat(probe.answers).hasValue(1);
    }
}
