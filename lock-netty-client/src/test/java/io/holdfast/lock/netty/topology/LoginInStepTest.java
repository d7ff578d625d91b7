package io.holdfast.lock.netty.topology;

import static io.holdfast.lock.netty.topology.FakeServer.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AUTH on a living connection has its place among the requests, and its answer is its own (rule 70). */
@Tag("proof")
class LoginInStepTest {

    private static final String OK = "+OK\r\n";

    /** What the server was sent after the handshake. */
    private final List<List<String>> heard = new CopyOnWriteArrayList<>();

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void itsAnswerIsWaitedForBehindEarlierOnes() throws IOException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeServer server = FakeServer.start(command -> answer(command, OK, mayAnswer));
                TestNode node = TestNode.connect(server.url(), provider())) {
            Probe early = node.echo("early");
            await().until(() -> heard.stream().anyMatch(command -> command.contains("early")));
            await().until(() -> calls.get() >= 2);
            Probe late = node.echo("late");
            mayAnswer.countDown();
            assertThat(early.await()).isEqualTo("fine");
            assertThat(late.await()).isEqualTo("fine");
            await().until(() -> logins() >= 2);
            assertThat(node.echo("last").await()).isEqualTo("fine");
            assertThat(node.news).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":1\r\n", "+PONG\r\n", "*2\r\n:1\r\n:2\r\n", OK + OK})
    void anotherAnswerEndsTheConnection(String answer) throws IOException {
        try (FakeServer server = FakeServer.start(command -> answer(command, answer, new CountDownLatch(0)));
                TestNode node = TestNode.connect(server.url(), provider())) {
            node.echo("early").await();
            await().until(() -> {
                node.echo("later").await();
                return node.news.contains("down PROTOCOL");
            });
        }
    }

    @Test
    void aRefusalIsHeldLikeOtherErrorsAndNeverQuoted() throws IOException {
        String refusal = "-ERR unknown command 'AUTH', with args beginning with: 'app' 'canary-2'\r\n";
        try (Logs logs = new Logs();
                FakeServer server = FakeServer.start(command -> answer(command, refusal, new CountDownLatch(0)));
                TestNode node = TestNode.connect(server.url(), provider())) {
            node.echo("early").await();
            await().until(() -> logins() >= 2);
            assertThat(heard.get(heard.size() - 1).get(0)).isIn("PING", "AUTH", "EVALSHA");
            await().until(() -> logs.everything().anyMatch(line -> line.contains("refused new credentials")));
            assertThat(node.echo("later").await()).isEqualTo("fine");
            assertThat(node.news).hasSize(1);
            assertThat(logs.everything()).noneMatch(line -> line.contains("canary"));
        }
    }

    private long logins() {
        return heard.stream().filter(command -> command.get(0).equals("AUTH")).count();
    }

    private String answer(List<String> command, String toLogin, CountDownLatch early) {
        heard.add(command);
        if (command.get(0).equals("AUTH")) {
            return toLogin;
        }
        if (command.contains("early")) {
            awaitQuietly(early);
        }
        return answerTo(command, "+fine\r\n");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Another password at each call, each for a second. */
    private CredentialsProvider provider() {
        return () -> CompletableFuture.completedFuture(Credentials.of("app", "canary-" + calls.incrementAndGet())
                .expiringAt(Instant.now().plusSeconds(1)));
    }
}
