package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.topology.FakeServer;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule 84: a primary that was replaced is left at once. */
@Tag("proof")
class PrimaryLeftTest {

    /** Longer than any test waits. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void whatIsInFlightIsPerhapsAppliedAndALateAnswerIsNotUsed() throws IOException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        List<String> heard = new CopyOnWriteArrayList<>();
        FakeServer one = FakeServer.start(command -> {
            heard.add(command.get(0));
            if (command.get(0).equals("EVALSHA")) {
                awaitQuietly(mayAnswer);
            }
            return FakeServer.answerTo(command, "+one\r\n");
        });
        try (ScriptedGroup group = ScriptedGroup.of(3, one, two());
                ClientNode node = group.connect(patient())) {
            List<Probe> inFlight = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                inFlight.add(node.echo("call"));
            }
            await().atMost(PATIENCE).until(() -> heard.contains("EVALSHA"));
            group.failOver();
            assertThat(inFlight).allSatisfy(probe -> {
                assertThat(probe.fault().kind()).isEqualTo(Kind.DISCONNECTED);
                assertThat(probe.fault().maybeApplied()).isTrue();
            });
            mayAnswer.countDown();
            awaitAnswer(node, "two");
            assertThat(inFlight).allSatisfy(probe -> assertThat(probe.answers).hasValue(1));
            assertThat(node.news)
                    .containsExactly(
                            "up 127.0.0.1:" + group.one.port(),
                            "down DISCONNECTED",
                            "up 127.0.0.1:" + group.two.port());
        }
    }

    @Test
    void theMessagesAreOfTheNewPrimary() {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                ScriptedSentinel sentinel = ScriptedSentinel.start();
                RawRedis atOne = one.connect();
                RawRedis atTwo = two.connect()) {
            sentinel.names(new Target.Host("127.0.0.1", one.port()), 1);
            List<String> heard = new CopyOnWriteArrayList<>();
            try (ClientNode node = ClientNode.connect(ScriptedGroup.url(sentinel), patient())) {
                node.subscribe("channel", into(heard));
                await().atMost(PATIENCE).until(() -> heard.contains("ready"));
                await().atMost(PATIENCE).until(sentinel::hasListener);
                sentinel.names(new Target.Host("127.0.0.1", two.port()), 2);
                sentinel.tell(ScriptedGroup.NAME + " 127.0.0.1 1 127.0.0.1 2");
                await().atMost(PATIENCE)
                        .until(() -> heard.stream().filter("ready"::equals).count() == 2);
                atOne.command("PUBLISH", "channel", "stale");
                atTwo.command("PUBLISH", "channel", "fresh");
                await().atMost(PATIENCE).until(() -> heard.contains("fresh"));
                assertThat(heard).doesNotContain("stale");
                await().atMost(PATIENCE).until(() -> !String.valueOf(atOne.command("CLIENT", "LIST"))
                        .contains("name=test"));
            }
        }
    }

    /** The old primary is gone; the pause would last an hour. */
    @Test
    void thePauseBeforeTheNextAttemptEndsAtTheSwitch() throws IOException {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect(ClientNode.options()
                        .backoffMin(Duration.ofHours(1))
                        .backoffMax(Duration.ofHours(1))
                        .build())) {
            group.one.close();
            group.one.cutAll();
            await().atMost(PATIENCE).until(() -> node.news.size() == 2);
            group.failOver();
            await().atMost(PATIENCE).until(() -> node.news.contains("up 127.0.0.1:" + group.two.port()));
        }
    }

    @Test
    void anAttemptInTheMidstOfItsHandshakeIsLeft() throws IOException {
        try (RedisServer stopped = RedisServer.start();
                ScriptedGroup group = ScriptedGroup.of(3)) {
            Target.Host old = new Target.Host("127.0.0.1", stopped.port());
            group.all(each -> each.names(old, 1));
            stopped.pause();
            try (ClientNode node = ClientNode.lazy(group.url(), patient())) {
                node.connecting();
                group.awaitListeners();
                group.all(each -> await().atMost(PATIENCE).until(() -> each.rounds() >= 2));
                group.failOver();
                awaitAnswer(node, "two");
                assertThat(node.news).containsExactly("up 127.0.0.1:" + group.two.port());
            } finally {
                stopped.resume();
            }
        }
    }

    @Test
    void aLookupOfWhereTheOldOneIsIsDropped() {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = ClientNode.lazy(
                        group.url(),
                        patient().toBuilder()
                                .addressMapper(announced -> {
                                    if (announced.port() == group.one.port()) {
                                        asked.countDown();
                                        awaitQuietly(mayAnswer);
                                    }
                                    return announced;
                                })
                                .build())) {
            node.connecting();
            awaitQuietly(asked);
            group.awaitListeners();
            group.failOver();
            awaitAnswer(node, "two");
            mayAnswer.countDown();
            group.awaitRounds(group.get(0));
            assertThat(node.news).containsExactly("up 127.0.0.1:" + group.two.port());
            assertThat(group.one.greeted()).isZero();
        } finally {
            mayAnswer.countDown();
        }
    }

    /** Sentinels cut the clients of a server that they reconfigure. */
    @Test
    void aFreshConnectionThatIsCutAfterASwitchIsNoIncident() throws IOException {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect(patient())) {
            group.failOver();
            awaitAnswer(node, "two");
            group.two.cutAll();
            await().atMost(PATIENCE).until(() -> node.news.size() == 5);
            awaitAnswer(node, "two");
            assertThat(logs.ours(Level.WARN)).noneMatch(line -> line.startsWith("No connection to orders"));
            assertThat(logs.ours(Level.INFO))
                    .filteredOn(line -> line.contains("has ended the connection"))
                    .hasSize(1);
        }
    }

    @Test
    void aPrimaryThatCutsEveryConnectionIsGivenABreak() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect(ClientNode.options()
                        .backoffMin(Duration.ofHours(1))
                        .backoffMax(Duration.ofHours(1))
                        .build())) {
            group.two.cutsEachThatHasShakenHands();
            group.failOver();
            await().atMost(PATIENCE)
                    .until(() -> logs.ours(Level.WARN).stream().anyMatch(line -> line.contains("next attempt in")));
            group.awaitRounds(group.get(0));
            assertThat(group.two.greeted()).isEqualTo(2);
            assertThat(node.news).endsWith("down DISCONNECTED");
        }
    }

    private static ClientOptions patient() {
        return ClientNode.options()
                .connectTimeout(LONG)
                .commandTimeout(Duration.ofSeconds(30))
                .heartbeat(LONG)
                .build();
    }

    private static FakeServer two() throws IOException {
        return FakeServer.start(command -> FakeServer.answerTo(command, "+two\r\n"));
    }

    private static Wakeup into(List<String> news) {
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
