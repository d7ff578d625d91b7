package io.holdfast.lock.netty.topology;

import static io.holdfast.lock.netty.topology.FakeServer.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that breaks the protocol loses its connection; it never gets one request answered with another's reply. */
class MisbehaviourTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"garbage\r\n", "$99999999999\r\n", "*-2\r\n", ":not a number\r\n", "$3\r\nabcdef\r\n", "+\n"})
    void nonsenseEndsTheConnection(String nonsense) throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server = FakeServer.start(
                        command -> calls.incrementAndGet() == 1 ? nonsense : answerTo(command, "$5\r\nhello\r\n"));
                TestNode node = TestNode.connect(server.url())) {
            Probe victim = node.echo("hello");
            Fault fault = victim.fault();
            assertThat(fault.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(fault.maybeApplied()).isTrue();
            assertThat(victim.answers).hasValue(1);
            await().until(() -> node.news.size() == 3);
            assertThat(node.news.get(1)).isEqualTo("down PROTOCOL");
            assertThat(node.echo("hello").await()).isEqualTo("hello");
        }
    }

    @Test
    void anAnswerToNothingEndsTheConnection() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> {
                    boolean first = command.get(0).equals("EVALSHA") && calls.incrementAndGet() == 1;
                    return answerTo(command, first ? "+first\r\n+stray\r\n" : "+later\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            assertThat(node.echo("x").await()).isEqualTo("first");
            await().until(() -> node.news.contains("down PROTOCOL"));
            assertThat(node.echo("x").await()).isEqualTo("later");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0\r\n", "_\r\n", "*1\r\n_\r\n", "$3\r\nabc\r\n", "*1\r\n,1.5\r\n"})
    void anAnswerThatTheScriptDoesNotGiveEndsTheCallAndTheConnection(String answer) throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> {
                    boolean first = command.get(0).equals("EVALSHA") && calls.incrementAndGet() == 1;
                    return answerTo(command, first ? answer : "+later\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            Choosy choosy = new Choosy();
            node.node.send(choosy);
            Fault fault = choosy.fault.orTimeout(10, TimeUnit.SECONDS).join();
            assertThat(fault.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(fault.maybeApplied()).isTrue();
            assertThat(fault.detail()).contains("echo");
            await().until(() -> node.news.contains("down PROTOCOL"));
            assertThat(node.echo("x").await()).isEqualTo("later");
        }
    }

    /** A call of a script that answers with a list, of which the first element is a number. */
    private static final class Choosy extends ScriptCall {

        private final CompletableFuture<Fault> fault = new CompletableFuture<>();

        Choosy() {
            super(TestNode.ECHO, 0, System.nanoTime(), System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
        }

        @Override
        public void encode(Args out) {
            out.key(new byte[] {'k'}).arg(1);
        }

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {
            fault.completeExceptionally(new AssertionError("understood: " + reply.integer(0)));
        }

        @Override
        public void onFault(Fault fault) {
            this.fault.complete(fault);
        }
    }

    @Test
    void pushesAreNotAnswers() throws IOException {
        try (FakeServer server = FakeServer.start(command ->
                        ">2\r\n+invalidate\r\n*0\r\n" + answerTo(command, "+answer\r\n") + ">1\r\n+whatever\r\n");
                TestNode node = TestNode.connect(server.url())) {
            for (int i = 0; i < 100; i++) {
                assertThat(node.echo("x").await()).isEqualTo("answer");
            }
            assertThat(node.news).hasSize(1);
        }
    }

    @Test
    void aServerThatForgetsScriptsAtOnceIsNotAskedForEver() throws IOException {
        List<String> commands = new CopyOnWriteArrayList<>();
        try (FakeServer server = FakeServer.start(command -> {
                    commands.add(command.get(0));
                    return command.get(0).equals("EVALSHA")
                            ? "-NOSCRIPT No matching script\r\n"
                            : answerTo(command, "_\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            Probe probe = node.echo("x");
            assertThat(probe.fault().kind()).isEqualTo(Kind.SCRIPT_MISSING);
            assertThat(probe.fault().maybeApplied()).isFalse();
            assertThat(probe.encoded).hasValue(2);
            assertThat(commands).containsExactly("SCRIPT", "EVALSHA", "PING", "SCRIPT", "EVALSHA", "PING");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">1\r\n+message\r\n",
                ">2\r\n+message\r\n+news\r\n",
                ">1\r\n+subscribe\r\n",
                ">1\r\n+unsubscribe\r\n",
                "*1\r\n+message\r\n"
            })
    void aMalformedPushIsThePeersFaultAndToldOnce(String push) throws IOException {
        AtomicInteger subscriptions = new AtomicInteger();
        try (Logs logs = new Logs();
                FakeServer server = FakeServer.start(command ->
                        ">3\r\n+subscribe\r\n+news\r\n:1\r\n" + (subscriptions.incrementAndGet() < 5 ? push : ""));
                TestNode node = TestNode.connect(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> subscriptions.get() == 5);
            assertThat(logs.ours(Level.ERROR)).isEmpty();
            assertThat(logs.ours(Level.WARN)).singleElement().asString().contains("PROTOCOL", "no element");
        }
    }

    @Test
    void strayConfirmationsEndTheMessageConnection() throws IOException {
        AtomicInteger subscriptions = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> subscriptions.incrementAndGet() == 1
                        ? ">3\r\n+subscribe\r\n+other\r\n:1\r\n"
                        : ">3\r\n+subscribe\r\n+news\r\n:1\r\n>3\r\n+message\r\n+news\r\n+hello\r\n");
                TestNode node = TestNode.connect(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().untilAsserted(() -> assertThat(news).containsExactly("ready", "hello"));
            assertThat(subscriptions).hasValue(2);
        }
    }

    @Test
    void aSubscriptionThatTheServerEndsIsMadeAgain() throws IOException {
        AtomicInteger subscriptions = new AtomicInteger();
        try (FakeServer server = FakeServer.start(command -> {
                    String confirmed = ">3\r\n+subscribe\r\n+news\r\n:1\r\n";
                    return subscriptions.incrementAndGet() == 1
                            ? confirmed + ">3\r\n+unsubscribe\r\n+news\r\n:0\r\n"
                            : confirmed;
                });
                TestNode node = TestNode.connect(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().untilAsserted(() -> assertThat(news).containsExactly("ready", "ready"));
            assertThat(subscriptions).hasValue(2);
        }
    }
}
