package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@RedisTest
class NodeCloseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void leavesNoThreadsAndNoConnections(RedisServer server, RawRedis raw) {
        TestNode node = TestNode.connect(server.url());
        List<String> news = new CopyOnWriteArrayList<>();
        node.subscribe("news", Recorder.into(news));
        node.node.runtime().after(1, () -> node.node.runtime().callbacks().execute(() -> news.add("callback")));
        await().until(() -> news.contains("ready") && news.contains("callback"));
        assertThat(ourThreads()).isNotEmpty().allMatch(Thread::isDaemon);
        node.close();
        await().until(() -> ourThreads().isEmpty());
        await().until(() -> raw.clients().size() == 1);
    }

    @Test
    void anIdleClientOwnsTwoThreadsAtMost(RedisServer server) {
        try (TestNode node = TestNode.connect(server.url())) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            node.node.runtime().after(1, () -> news.add("timer"));
            await().until(() -> news.contains("ready") && news.contains("timer"));
            assertThat(ourThreads())
                    .extracting(Thread::getName)
                    .containsExactlyInAnyOrder("holdfast-test-io-1", "holdfast-test-timer-1");
            assertThat(ourThreads())
                    .allMatch(thread -> thread.getContextClassLoader() == TestNode.class.getClassLoader());
        }
    }

    @Test
    void letsCallsFinishWithinTheGrace(RedisServer server) {
        TestNode node = TestNode.connect(server.url());
        List<Probe> probes =
                IntStream.range(0, 1_000).mapToObj(i -> node.echo("call " + i)).toList();
        node.node.close(PATIENCE.toNanos()).toCompletableFuture().join();
        for (int i = 0; i < probes.size(); i++) {
            assertThat(probes.get(i).await()).isEqualTo("call " + i);
        }
    }

    @Test
    void failsWhatIsInFlightAfterTheGrace(RedisServer server) {
        TestNode node = TestNode.connect(server.url());
        assertThat(node.echo("before").await()).isEqualTo("before");
        server.pause();
        Probe inFlight = node.send(TestNode.ECHO, "key", "hello", PATIENCE);
        await().until(() -> inFlight.encoded.get() == 1);
        long start = System.nanoTime();
        node.node
                .close(TimeUnit.MILLISECONDS.toNanos(200))
                .toCompletableFuture()
                .join();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertThat(inFlight.fault().kind()).isEqualTo(Kind.CLOSED);
        assertThat(inFlight.fault().maybeApplied()).isTrue();
        server.resume();
    }

    @Test
    void refusesLaterCalls(RedisServer server) {
        TestNode node = TestNode.connect(server.url());
        node.close();
        Probe late = node.echo("late");
        assertThat(late.outcome).isDone();
        assertThat(late.fault().kind()).isEqualTo(Kind.CLOSED);
        assertThat(late.fault().maybeApplied()).isFalse();
        node.subscribe("news", Recorder.into(new CopyOnWriteArrayList<>())).close();
        node.close();
    }

    @Test
    void isLegalOnTheEventLoop(RedisServer server) {
        TestNode node = TestNode.connect(server.url());
        CompletableFuture<Void> closed = new CompletableFuture<>();
        node.node.send(new ClosingCall(node, closed));
        closed.orTimeout(10, TimeUnit.SECONDS).join();
        await().until(() -> ourThreads().isEmpty());
    }

    @Test
    void aNodeThatNeverConnectedCloses() {
        TestNode node = TestNode.lazy(TestNode.settings("redis://127.0.0.1:1"));
        Probe waiting = node.send(TestNode.ECHO, "key", "hello", PATIENCE);
        node.close();
        assertThat(waiting.fault().kind()).isIn(Kind.CLOSED, Kind.UNREACHABLE);
        TestNode.lazy(TestNode.settings("redis://127.0.0.1:1")).close();
        await().until(() -> ourThreads().isEmpty());
    }

    @Tag("proof")
    @Test
    void everyCallInAStormOfClosesHasOneAnswer(RedisServer server) throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            TestNode node = TestNode.connect(server.url());
            List<Probe> probes = new CopyOnWriteArrayList<>();
            Thread sender = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    Probe probe = new Probe(TestNode.ECHO, "key", "x", System.nanoTime() + PATIENCE.toNanos());
                    if (i % 10 == 0) {
                        probes.add(probe);
                    }
                    node.node.send(probe);
                }
            });
            sender.start();
            await().pollInterval(Duration.ofMillis(1)).until(() -> !probes.isEmpty());
            node.close();
            sender.join();
            assertThat(probes).allSatisfy(probe -> {
                probe.await();
                assertThat(probe.answers).hasValue(1);
            });
        }
    }

    private static List<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-test-"))
                .toList();
    }

    /** Closes its node from inside its own answer. */
    private static final class ClosingCall extends ScriptCall {

        private final TestNode node;
        private final CompletableFuture<Void> closed;

        ClosingCall(TestNode node, CompletableFuture<Void> closed) {
            super(TestNode.ECHO, 0, System.nanoTime(), System.nanoTime() + PATIENCE.toNanos());
            this.node = node;
            this.closed = closed;
        }

        @Override
        public void encode(io.holdfast.lock.spi.Args out) {
            out.key(new byte[] {'k'}).arg(1);
        }

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(io.holdfast.lock.spi.Reply reply) {
            node.node.close(PATIENCE.toNanos()).thenRun(() -> closed.complete(null));
        }

        @Override
        public void onFault(io.holdfast.lock.spi.Fault fault) {
            closed.completeExceptionally(new AssertionError(fault.toString()));
        }
    }
}
