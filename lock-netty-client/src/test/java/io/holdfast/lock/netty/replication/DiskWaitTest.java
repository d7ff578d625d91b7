package io.holdfast.lock.netty.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.topology.FakeServer;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a transport asks, and makes of the answers, where a lock has to be on disks. A server says what the test wants. */
class DiskWaitTest {

    private static final String PAIR = "*2\r\n:%d\r\n:%d\r\n";

    private final List<List<String>> asked = new CopyOnWriteArrayList<>();
    private volatile String answer = "";

    private FakeServer server;
    private TestNode node;
    private Replication replication;

    @BeforeEach
    void start() throws IOException {
        server = FakeServer.start(this::answer);
        server.hasReplicas(2);
        node = TestNode.connect(server.url());
        replication = node.node.replication("holdfast:wait:test", 2, TimeUnit.MILLISECONDS.toNanos(300), true);
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
        server.close();
    }

    private String answer(List<String> command) {
        return switch (command.get(0)) {
            case "SET" -> "+OK\r\n";
            case "WAITAOF" -> {
                asked.add(command);
                yield answer;
            }
            default -> FakeServer.answerTo(command, "+OK\r\n");
        };
    }

    @Test
    void theServersOwnDiskCountsBesidesThoseOfTheReplicas() {
        assertThat(outcomeOf(String.format(PAIR, 1, 2))).isEqualTo("confirmed");
        assertThat(asked).containsExactly(List.of("WAITAOF", "1", "2", "300"));
        assertThat(outcomeOf(String.format(PAIR, 1, 3))).isEqualTo("confirmed");
        assertThat(outcomeOf(String.format(PAIR, 0, 2)))
                .contains("NOREPLICAS")
                .contains("the server itself had it not on disk within 300 ms (expected: more time than that takes)");
        assertThat(outcomeOf(String.format(PAIR, 1, 1)))
                .contains("NOREPLICAS")
                .contains("1 of 2 replicas had it on disk within 300 ms"
                        + " (expected: appendonly yes there, and more time than it takes)");
    }

    /** Redis 6.2 and 7 quote differently what they do not know. */
    @Test
    void aServerWithoutTheCommandIsToldByItsRefusal() {
        for (String unknown : List.of(
                "-ERR unknown command `WAITAOF`, with args beginning with: `1`, `2`, `300`, \r\n",
                "-ERR unknown command 'WAITAOF', with args beginning with: '1' '2' '300' \r\n")) {
            assertThat(outcomeOf(unknown))
                    .contains("SERVER_ERROR")
                    .contains("waitForReplicasOnDisk: the server has no WAITAOF (expected: Redis 7.2 or later, or"
                            + " Valkey; or waitForReplicas, which is content with their memory)");
        }
    }

    @Test
    void aServerWithoutAnAppendOnlyFileIsToldByItsRefusal() {
        assertThat(outcomeOf("-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.\r\n"))
                .contains("SERVER_ERROR")
                .contains("waitForReplicasOnDisk: the server keeps no append-only file (expected: appendonly yes, there"
                        + " and at its replicas; or waitForReplicas");
    }

    @Test
    void anyOtherRefusalHasTheServersWords() {
        assertThat(outcomeOf("-NOPERM User app has no permissions to run the 'waitaof' command\r\n"))
                .contains("NOPERM")
                .contains("has no permissions to run the 'waitaof' command");
    }

    /** What WAIT answers is no answer to WAITAOF, and neither are more or fewer numbers than two. */
    @Test
    void anAnswerOfAnotherFormEndsTheConnection() {
        for (String strange :
                List.of(":2\r\n", "*1\r\n:2\r\n", "*3\r\n:1\r\n:2\r\n:3\r\n", "*2\r\n+a\r\n:2\r\n", "+OK\r\n")) {
            assertThat(outcomeOf(strange)).contains("PROTOCOL").contains("the answer to another request");
        }
        assertThat(outcomeOf(String.format(PAIR, 1, 2))).isEqualTo("confirmed");
    }

    /** How a question ends that is answered so. */
    private String outcomeOf(String said) {
        answer = said;
        CompletableFuture<String> outcome = new CompletableFuture<>();
        replication.await(0, node.node.run(), new Replication.Listener() {
            @Override
            public void confirmed() {
                outcome.complete("confirmed");
            }

            @Override
            public void failed(Fault fault) {
                outcome.complete(fault.toString());
            }
        });
        return outcome.orTimeout(20, TimeUnit.SECONDS).join();
    }
}
