package io.holdfast.lock.netty.topology;

import static io.holdfast.lock.netty.topology.FakeServer.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rule 70: an error, which carries no number, counts once a later answer shows that it was nobody else's. */
class HeldErrorTest {

    private static final String NO_ANSWER = "";
    private static final String OOM = "-OOM command not allowed\r\n";
    private static final String LOADING = "-LOADING the data set\r\n";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** What the server was sent after the handshake, by its name and, for calls, its argument. */
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void anErrorIsToldWhenAPingBehindItIsAnswered() throws IOException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "PING" -> answerAfter(mayAnswer, command);
                    case "refused" -> OOM;
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            Probe refused = node.echo("refused");
            await().until(() -> heard.contains("PING"));
            assertThat(refused.outcome).isNotDone();
            mayAnswer.countDown();

            Fault fault = refused.fault();
            assertThat(fault.kind()).isEqualTo(Kind.OOM);
            assertThat(fault.maybeApplied()).isFalse();
            assertThat(heard).containsExactly("SCRIPT", "refused", "PING");
        }
    }

    @Test
    void aLaterCallsAnswerProvesErrorsWhichAreToldBeforeIt() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "PING" -> NO_ANSWER;
                    case "a", "b" -> {
                        awaitQuietly(mayAnswer);
                        yield OOM;
                    }
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            Probe last = null;
            for (String name : List.of("a", "b", "c")) {
                last = node.echo(name);
                last.outcome.thenAccept(
                        outcome -> told.add(name + " " + (outcome instanceof Fault fault ? fault.kind() : outcome)));
            }
            // An error with no call behind it has a PING sent behind it, which this server does not answer.
            Probe behind = Objects.requireNonNull(last);
            await().until(() -> behind.encoded.get() == 1);
            mayAnswer.countDown();
            await().untilAsserted(() -> assertThat(told).containsExactly("a OOM", "b OOM", "c fine"));
        }
    }

    /** The first call's answer is lost, so it sees the second one's error, and the second one the third's answer. */
    @Test
    void anErrorThatWasAnothersIsNotBelieved() throws IOException {
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "applied" -> NO_ANSWER;
                    case "refused" -> OOM;
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            // In one go: the connection ends with the answer to the second one.
            List<Probe> probes = Stream.of("applied", "refused", "fine")
                    .map(argument -> new Probe(TestNode.ECHO, "key", argument, deadlineNanos))
                    .toList();
            node.node.sendAll(probes);
            assertThat(probes).allSatisfy(probe -> {
                assertThat(probe.fault().kind()).isEqualTo(Kind.PROTOCOL);
                assertThat(probe.fault().maybeApplied()).isTrue();
            });
        }
    }

    /** Else the call would be written again, though it may have been applied. */
    @Test
    void aCallIsNotSentAgainForAnothersNoscript() throws IOException {
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "applied" -> NO_ANSWER;
                    case "unknown" -> "-NOSCRIPT No matching script\r\n";
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(server.url())) {
            Probe applied = node.echo("applied");
            Probe unknown = node.echo("unknown");
            assertThat(applied.fault().maybeApplied()).isTrue();
            assertThat(unknown.fault().maybeApplied()).isTrue();
            assertThat(applied.encoded).hasValue(1);
        }
    }

    @Test
    void aHeldCallIsOverdueOnceAndHasItsOwnEnd() throws IOException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "PING" -> answerAfter(mayAnswer, command);
                    case "refused" -> OOM;
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(TestNode.settings(server.url(), PATIENCE, 100))) {
            Probe refused = node.send(TestNode.ECHO, "key", "refused", Duration.ofMillis(100));
            await().until(() -> refused.overdue.get() == 1);
            assertThat(refused.outcome).isNotDone();
            mayAnswer.countDown();

            assertThat(refused.fault().kind()).isEqualTo(Kind.OOM);
            assertThat(refused.overdue).hasValue(1);
            assertThat(refused.answers).hasValue(1);
        }
    }

    @Test
    void errorsAreInDoubtWhenTheConnectionEndsBeforeTheirProof() throws IOException {
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "PING" -> NO_ANSWER;
                    case "refused" -> OOM;
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connectNervously(server.url())) {
            Fault fault = node.echo("refused").fault();
            assertThat(fault.kind()).isEqualTo(Kind.DISCONNECTED);
            assertThat(fault.maybeApplied()).isTrue();
        }
    }

    /** A server that loads, or that is busy, refuses PING too; then the number of the answers is the proof. */
    @Test
    void whereThePingIsRefusedErrorsAreToldWhenAllAreIn() throws IOException {
        try (FakeServer server = FakeServer.start(command -> {
                    hear(command);
                    return LOADING;
                });
                TestNode node = TestNode.connect(server.url())) {
            for (int i = 0; i < 20; i++) {
                Probe one = node.echo("one");
                Probe other = node.echo("other");
                assertThat(one.fault().kind()).isEqualTo(Kind.LOADING);
                assertThat(one.fault().maybeApplied()).isFalse();
                assertThat(other.fault().kind()).isEqualTo(Kind.LOADING);
            }
            assertThat(node.news).hasSize(1);
        }
    }

    @Test
    void afterARefusedPingNothingIsWrittenUntilAllAreIn() throws IOException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "PING" -> {
                        awaitQuietly(mayAnswer);
                        yield LOADING;
                    }
                    case "held" -> LOADING;
                    case "last" -> NO_ANSWER;
                    default -> answerTo(command, "+fine\r\n");
                });
                TestNode node = TestNode.connect(TestNode.settings(server.url(), PATIENCE, 100))) {
            Probe held = node.echo("held");
            await().until(() -> heard.contains("PING"));
            Probe last = node.echo("last");
            await().until(() -> last.encoded.get() == 1);
            mayAnswer.countDown();
            await().until(() -> heard.contains("last"));

            Probe tooEarly = node.send(TestNode.ECHO, "key", "early", Duration.ofMillis(300));
            assertThat(tooEarly.fault().maybeApplied()).isFalse();
            assertThat(tooEarly.encoded).hasValue(0);
            assertThat(held.outcome).isNotDone();
        }
    }

    /** The reply to a call that was applied is lost; from then on the server loads, and refuses all that follows. */
    @Test
    void aLostReplyBeforeLoadingStaysInDoubt() throws IOException {
        try (FakeServer server = FakeServer.start(command -> switch (hear(command)) {
                    case "SCRIPT" -> answerTo(command, "_\r\n");
                    case "applied" -> NO_ANSWER;
                    default -> LOADING;
                });
                TestNode node = TestNode.connectNervously(server.url())) {
            Probe applied = node.echo("applied");
            Probe refused = node.echo("refused");
            assertThat(applied.fault().kind()).isEqualTo(Kind.DISCONNECTED);
            assertThat(applied.fault().maybeApplied()).isTrue();
            assertThat(refused.fault().maybeApplied()).isTrue();
        }
    }

    private String hear(List<String> command) {
        boolean call = command.get(0).equals("EVALSHA");
        String name = call ? command.get(command.size() - 2) : command.get(0);
        heard.add(name);
        return name;
    }

    private static String answerAfter(CountDownLatch latch, List<String> command) {
        awaitQuietly(latch);
        return answerTo(command, "_\r\n");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
