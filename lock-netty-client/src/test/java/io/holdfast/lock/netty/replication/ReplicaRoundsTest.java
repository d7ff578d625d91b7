package io.holdfast.lock.netty.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.topology.FakeServer;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.ReplicatedPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a transport says of replicas, without an engine above it. */
class ReplicaRoundsTest {

    private static final String KEY = "holdfast:wait:test";
    private static final long AGES_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static ReplicatedPair pair;

    @BeforeAll
    static void start() {
        pair = ReplicatedPair.start();
        try (RawRedis raw = pair.primary().connect()) {
            patiently().until(() -> raw.info("replication").values().stream()
                    .anyMatch(value -> value.contains("state=online")));
        }
    }

    @AfterAll
    static void stop() {
        pair.close();
    }

    @Test
    void theReplicasOfAnotherProcessProveNothing() {
        try (TestNode node = TestNode.connect(pair.primary().url())) {
            Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
            assertThat(ask(replication, node.node.run())).isEqualTo("confirmed");
            assertThat(ask(replication, new ServerRun("another", 0)))
                    .contains("NOREPLICAS")
                    .contains(
                            "the replicas of another server process were asked than of the one that granted the lock");
            assertThat(ask(replication, ServerRun.UNKNOWN)).contains("the server does not tell its run id");
        }
    }

    /** How many replicas another process has is of no matter to what this one has granted. */
    @Test
    void thatItWasAnotherProcessIsSaidFirst() {
        try (TestNode node = TestNode.connect(pair.primary().url())) {
            Replication replication = node.node.replication(KEY, 2, AGES_NANOS, false);
            assertThat(ask(replication, node.node.run())).contains("1 of 2 replicas are connected and in step");
            assertThat(ask(replication, new ServerRun("another", 0)))
                    .contains("the replicas of another server process were asked");
        }
    }

    @Test
    void nothingIsSentAndNoConnectionMadeBeforeAGrant() {
        try (TestNode node = TestNode.connect(pair.primary().url());
                RawRedis raw = pair.primary().connect()) {
            int before = raw.clients().size();
            Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(raw.clients()).hasSize(before);
            assertThat(ask(replication, node.node.run())).isEqualTo("confirmed");
            assertThat(raw.clients()).hasSize(before + 1);
        }
    }

    @Test
    void aConnectionThatWasCutIsMadeAnew() {
        try (TestNode node = TestNode.connect(pair.primary().url());
                RawRedis raw = pair.primary().connect()) {
            Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
            for (int i = 0; i < 3; i++) {
                // A grant that comes before the cut is noticed shares the end of the connection.
                patiently().until(() -> ask(replication, node.node.run()).equals("confirmed"));
                raw.clients().stream()
                        .filter(client -> "ping".equals(client.get("cmd")) && "test".equals(client.get("name")))
                        .forEach(client -> raw.command("CLIENT", "KILL", "ID", client.get("id")));
            }
        }
    }

    /** Each grant that hurried it on would add to what the server has no room for. */
    @Test
    void aServerWithoutRoomIsNotAskedMoreOftenForMoreGrants() throws Exception {
        Duration ages = Duration.ofHours(1);
        try (FakeServer server = FakeServer.start(ReplicaRoundsTest::confirming);
                ClientNode node = ClientNode.connect(
                        server.url(),
                        ClientNode.options().backoffMin(ages).backoffMax(ages).build())) {
            Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
            server.isFull(true);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(replication, node.node.run())).contains("MAXCLIENTS");
            }
            assertThat(server.turnedAway()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatHasRoomAgainIsAsked() throws Exception {
        try (FakeServer server = FakeServer.start(ReplicaRoundsTest::confirming);
                ClientNode node =
                        ClientNode.connect(server.url(), ClientNode.options().build())) {
            server.hasReplicas(1);
            Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
            server.isFull(true);
            assertThat(ask(replication, node.node.run())).contains("MAXCLIENTS");
            server.isFull(false);
            patiently().until(() -> ask(replication, node.node.run()).equals("confirmed"));
        }
    }

    /** A primary with one replica, which has everything. */
    private static String confirming(List<String> command) {
        return switch (command.get(0)) {
            case "SET" -> "+OK\r\n";
            case "WAIT" -> ":1\r\n";
            default -> FakeServer.answerTo(command, ":1\r\n");
        };
    }

    @Test
    void whatIsAskedOfAClosedNodeFails() {
        TestNode node = TestNode.connect(pair.primary().url());
        ServerRun run = node.node.run();
        Replication replication = node.node.replication(KEY, 1, AGES_NANOS, false);
        assertThat(ask(replication, run)).isEqualTo("confirmed");
        pair.replicas().get(0).pause();
        try {
            List<CompletableFuture<String>> open = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                open.add(asked(replication, run));
            }
            node.close();
            for (CompletableFuture<String> each : open) {
                assertThat(each.orTimeout(20, TimeUnit.SECONDS).join()).contains("CLOSED");
            }
            assertThat(ask(replication, run)).contains("CLOSED");
        } finally {
            pair.replicas().get(0).resume();
        }
    }

    private static String ask(Replication replication, ServerRun run) {
        return asked(replication, run).orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static CompletableFuture<String> asked(Replication replication, ServerRun run) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        replication.await(0, run, new Replication.Listener() {
            @Override
            public void confirmed() {
                answer.complete("confirmed");
            }

            @Override
            public void failed(Fault fault) {
                answer.complete(fault.toString());
            }
        });
        return answer;
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(20));
    }
}
