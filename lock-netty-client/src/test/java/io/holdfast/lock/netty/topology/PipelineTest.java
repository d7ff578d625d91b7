package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever happens to a connection, each call gets exactly one answer, and that answer is its own. */
@RedisTest
class PipelineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_IN_FLIGHT = 4_096;
    private static final Script COUNT = new Script("count", "redis.call('INCR', KEYS[1]) return ARGV[1]");

    @Test
    void allCallsShareOneConnection(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            for (int i = 0; i < 8; i++) {
                node.echo("value " + i).await();
            }
            await().untilAsserted(() -> assertThat(raw.clients())
                    .as("the node's connection, and the one that looks")
                    .hasSize(2));
        }
    }

    @Tag("proof")
    @Test
    void repliesMatchRequestsOfManyThreads(RedisServer server) throws InterruptedException {
        try (TestNode node = TestNode.connectPatiently(server.url())) {
            List<List<Probe>> byThread = IntStream.range(0, 8)
                    .mapToObj(i -> new ArrayList<Probe>())
                    .collect(java.util.stream.Collectors.toList());
            CountDownLatch done = new CountDownLatch(8);
            for (int t = 0; t < 8; t++) {
                int number = t;
                new Thread(() -> {
                            for (int i = 0; i < 2_000; i++) {
                                byThread.get(number).add(node.echo(number + "-" + i));
                            }
                            done.countDown();
                        })
                        .start();
            }
            done.await();
            for (int t = 0; t < 8; t++) {
                for (int i = 0; i < 2_000; i++) {
                    assertThat(byThread.get(t).get(i).await()).isEqualTo(t + "-" + i);
                }
            }
        }
    }

    @Test
    void callsThatAreSentTogetherAreAnsweredEach(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            List<Probe> probes = IntStream.range(0, 500)
                    .mapToObj(i -> new Probe(TestNode.ECHO, "key", "call " + i, deadlineNanos))
                    .toList();
            node.node.sendAll(probes);
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
            }
        }
    }

    @Tag("proof")
    @Test
    void repliesMatchRequestsWhenTheConnectionIsKilledInMidPipeline(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connectPatiently(server.url())) {
            List<Probe> probes = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 500; i++) {
                    probes.add(node.send(COUNT, "counter", "call " + probes.size(), PATIENCE));
                }
                if (round % 2 == 0) {
                    probes.get(500 * round).await();
                }
                raw.command("CLIENT", "KILL", "TYPE", "normal");
            }
            int answered = 0;
            int unknown = 0;
            for (int i = 0; i < probes.size(); i++) {
                Probe probe = probes.get(i);
                if (probe.await() instanceof Fault fault) {
                    assertThat(fault.kind()).isEqualTo(Kind.DISCONNECTED);
                    assertThat(fault.maybeApplied()).isTrue();
                    unknown++;
                } else {
                    assertThat(probe.await()).isEqualTo("call " + i);
                    answered++;
                }
                assertThat(probe.answers).hasValue(1);
                assertThat(probe.encoded.get()).isBetween(1, 2);
            }
            assertThat(node.send(COUNT, "counter", "last", PATIENCE).await()).isEqualTo("last");
            long applied = Long.parseLong(String.valueOf(raw.command("GET", "counter")));
            assertThat(applied).isBetween(answered + 1L, answered + 1L + unknown);
        }
    }

    @Test
    void overdueCallsKeepTheirPlace(RedisServer server) {
        try (TestNode node = TestNode.connect(TestNode.settings(server.url(), Duration.ofSeconds(20), 65_536))) {
            node.echo("warm").await();
            server.pause();
            List<Probe> probes = IntStream.range(0, 1_000)
                    .mapToObj(i -> node.send(TestNode.ECHO, "key", "call " + i, Duration.ofMillis(50 + i % 7 * 10)))
                    .toList();
            await().untilAsserted(() -> assertThat(probes)
                    .allSatisfy(probe -> assertThat(probe.overdue).hasValue(1)));
            assertThat(probes).allSatisfy(probe -> assertThat(probe.answers).hasValue(0));
            server.resume();
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
                assertThat(probes.get(i).overdue).hasValue(1);
            }
            assertThat(node.echo("after").await()).isEqualTo("after");
            assertThat(node.news).hasSize(1);
        }
    }

    /** A server that stands still answers nothing before its connection breaks. */
    @Test
    void whatWasInFlightWhenTheConnectionBrokeIsNotSentAgain(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            node.echo("warm").await();
            server.pause();
            List<Probe> probes = IntStream.range(0, 100)
                    .mapToObj(i -> node.send(TestNode.ECHO, "key", "call " + i, PATIENCE))
                    .toList();
            await().untilAsserted(() -> assertThat(probes)
                    .allSatisfy(probe -> assertThat(probe.encoded).hasValue(1)));

            server.kill();
            server.restart();

            assertThat(probes).allSatisfy(probe -> {
                assertThat(probe.fault().kind()).isEqualTo(Kind.DISCONNECTED);
                assertThat(probe.fault().maybeApplied()).isTrue();
            });
            assertThat(node.echo("after").await()).isEqualTo("after");
            assertThat(probes).allSatisfy(probe -> assertThat(probe.encoded).hasValue(1));
        }
    }

    @Test
    void aCallThatWasNeverWrittenFailsAtItsDeadline(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            server.kill();
            await().until(() -> node.news.size() == 2);
            long start = System.nanoTime();
            Probe probe = node.send(TestNode.ECHO, "key", "hello", Duration.ofMillis(300));
            Fault fault = probe.fault();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(290), Duration.ofMillis(900));
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.maybeApplied()).isFalse();
            assertThat(fault.detail()).containsIgnoringCase("refused");
            assertThat(probe.encoded).hasValue(0);
            assertThat(probe.overdue).hasValue(0);
        }
    }

    @Test
    void callsWaitForTheNextConnection(RedisServer server) {
        try (TestNode node = TestNode.connectPatiently(server.url())) {
            server.kill();
            await().until(() -> node.news.size() == 2);
            List<Probe> probes = IntStream.range(0, 100)
                    .mapToObj(i -> node.send(TestNode.ECHO, "key", "call " + i, PATIENCE))
                    .toList();
            server.restart();
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
            }
            assertThat(node.news.get(2)).startsWith("up ").isNotEqualTo(node.news.get(0));
        }
    }

    @Test
    void aFullQueueRefusesAtOnce(RedisServer server) {
        try (TestNode node = TestNode.lazy(TestNode.settings(server.url(), Duration.ofSeconds(5), 10))) {
            server.pause();
            List<Probe> probes = IntStream.range(0, 50)
                    .mapToObj(i -> node.send(TestNode.ECHO, "key", "call " + i, PATIENCE))
                    .toList();
            assertThat(probes.subList(10, 50)).allSatisfy(probe -> {
                assertThat(probe.outcome).isDone();
                assertThat(probe.fault().kind()).isEqualTo(Kind.QUEUE_FULL);
                assertThat(probe.fault().maybeApplied()).isFalse();
            });
            server.resume();
            for (int i = 0; i < 10; i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
            }
        }
    }

    @Test
    void urgentCallsAreWrittenFirstAndFindRoomInAFullQueue(RedisServer server) {
        try (TestNode node = TestNode.lazy(TestNode.settings(server.url(), Duration.ofSeconds(5), 10))) {
            server.pause();
            List<Probe> ordinary = echoes(node, TestNode.ECHO, 10);
            List<Probe> urgent = echoes(node, TestNode.URGENT_ECHO, 30);
            List<Integer> order = new CopyOnWriteArrayList<>();
            ordinary.forEach(probe -> probe.outcome.thenRun(() -> order.add(0)));
            urgent.forEach(probe -> probe.outcome.thenRun(() -> order.add(1)));
            server.resume();

            await().until(() -> order.size() == 40);
            assertThat(order.subList(0, 30)).containsOnly(1);
            assertThat(urgent)
                    .allSatisfy(probe -> assertThat(probe.await()).asString().startsWith("call "));
        }
    }

    /** However short its own queue may be, a request is on its way for as long as a slow server takes for those before it. */
    @Test
    void ordinaryCallsStayBehindABoundedNumberInFlight() throws IOException {
        AtomicBoolean silent = new AtomicBoolean();
        try (FakeServer server =
                        FakeServer.start(command -> silent.get() ? "" : FakeServer.answerTo(command, "$2\r\nok\r\n"));
                TestNode node = TestNode.connect(TestNode.settingsForSilence(server.url(), Duration.ofSeconds(30)))) {
            node.echo("warm").await();
            node.send(TestNode.URGENT_ECHO, "key", "warm", PATIENCE).await();
            silent.set(true);

            List<Probe> ordinary = echoes(node, TestNode.ECHO, MOST_IN_FLIGHT + 10);
            await().untilAsserted(() ->
                    assertThat(ordinary.get(MOST_IN_FLIGHT - 1).encoded).hasValue(1));

            for (Probe urgent : List.of(urgent(node), urgent(node))) {
                await().untilAsserted(() -> assertThat(urgent.encoded).hasValue(1));
            }
            assertThat(ordinary.subList(MOST_IN_FLIGHT, ordinary.size()))
                    .allSatisfy(probe -> assertThat(probe.encoded).hasValue(0));
        }
    }

    private static Probe urgent(TestNode node) {
        return node.send(TestNode.URGENT_ECHO, "key", "urgent", PATIENCE);
    }

    @Test
    void aCallThatWaitedForACommandTimeoutIsNotWrittenAnyMore(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            server.kill();
            await().until(() -> node.news.size() == 2);

            Probe probe = node.send(TestNode.ECHO, "key", "hello", PATIENCE);

            Fault fault = probe.fault();
            assertThat(Duration.ofNanos(System.nanoTime() - probe.sentNanos)).isLessThan(Duration.ofSeconds(3));
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.maybeApplied()).isFalse();
            assertThat(probe.encoded).hasValue(0);
        }
    }

    @Test
    void aCallThatIsTakenBackIsNeverWritten(RedisServer server) {
        try (TestNode node = TestNode.lazy(TestNode.settings(server.url()))) {
            server.pause();
            Probe unwanted = node.echo("unwanted");
            assertThat(unwanted.takeBack()).isTrue();
            server.resume();

            Probe wanted = node.echo("wanted");

            assertThat(wanted.await()).isEqualTo("wanted");
            assertThat(wanted.takeBack()).isFalse();
            assertThat(unwanted.fault().maybeApplied()).isFalse();
            assertThat(unwanted.encoded).hasValue(0);
        }
    }

    @Test
    void whoWaitsForRoomIsToldOnceWhenHalfOfItIsFree(RedisServer server) {
        try (TestNode node = TestNode.lazy(TestNode.settings(server.url(), Duration.ofSeconds(5), 10))) {
            List<Integer> told = new CopyOnWriteArrayList<>();
            server.pause();
            List<Probe> full = echoes(node, TestNode.ECHO, 10);
            node.node.whenRoom(told::add);
            assertThat(told).isEmpty();
            server.resume();

            await().until(() -> !told.isEmpty());
            full.forEach(Probe::await);
            assertThat(node.echo("later").await()).isEqualTo("later");
            assertThat(told).hasSize(1).allMatch(places -> places >= 5 && places <= 10);
            node.node.whenRoom(told::add);
            await().until(() -> told.size() == 2);
        }
    }

    private static List<Probe> echoes(TestNode node, Script script, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> node.send(script, "key", "call " + i, PATIENCE))
                .toList();
    }

    @Test
    void aCallThatCannotBeWrittenHarmsNoOther(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            Probe before = node.echo("before");
            Unwritable bad = new Unwritable(System.nanoTime() + PATIENCE.toNanos());
            node.node.send(bad);
            Probe after = node.echo("after");
            assertThat(before.await()).isEqualTo("before");
            assertThat(after.await()).isEqualTo("after");
            assertThat(bad.fault.join().maybeApplied()).isFalse();
        }
    }
}
