package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.netty.ClientNode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule 70 at a Sentinel: what is said out of turn counts for nothing, and ends the connection. */
@Tag("proof")
class SentinelProtocolTest {

    /** It would move the client, if it counted. */
    @Test
    void whatIsSaidBeforeAnAnswerTooFewDoesNotCount() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect(impatient())) {
            ScriptedSentinel sentinel = group.get(0);
            sentinel.says(ScriptedSentinel.OTHERS, ScriptedSentinel.NO_ANSWER);
            sentinel.names(group.two, 2);
            awaitAnotherConnection(sentinel);
            // A busy machine may cost it this connection, too.
            assertThat(node.news).doesNotContain("up 127.0.0.1:" + group.two.port());
            sentinel.answersAsBefore(ScriptedSentinel.OTHERS);
            awaitAnswer(node, "two");
        }
    }

    @Test
    void whatIsSaidBeforeAnAnswerTooManyDoesNotCount() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            sentinel.says(ScriptedSentinel.OTHERS, "*0\r\n*0\r\n");
            sentinel.names(group.two, 2);
            awaitAnotherConnection(sentinel);
            assertNotMoved(node);
            sentinel.answersAsBefore(ScriptedSentinel.OTHERS);
            awaitAnswer(node, "two");
        }
    }

    @Test
    void aPongWithAnothersNumberEndsTheConnection() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            sentinel.says("PING", ScriptedSentinel.bulk("1"));
            sentinel.names(group.two, 2);
            awaitAnotherConnection(sentinel);
            assertNotMoved(node);
            sentinel.answersAsBefore("PING");
            awaitAnswer(node, "two");
        }
    }

    @Test
    void anAnswerToNoQuestionEndsTheConnection() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            await().atMost(PATIENCE).until(() -> sentinel.times("PING") >= 1);
            int before = sentinel.times("HELLO");
            sentinel.say("+OK\r\n");
            await().atMost(PATIENCE).until(() -> sentinel.times("HELLO") > before);
            assertNotMoved(node);
        }
    }

    /** Answers of other shapes than a Sentinel's are no word, and break nothing. */
    @Test
    void answersOfAnyOtherShapeAreNoWord() {
        String[] shapes = {
            "*0\r\n",
            ":1\r\n",
            "+OK\r\n",
            "%0\r\n",
            "*1\r\n*1\r\n*0\r\n",
            "*2\r\n_\r\n_\r\n",
            "*3\r\n:1\r\n:2\r\n:3\r\n",
            "#t\r\n"
        };
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            sentinel.names(group.two, 2);
            for (String question :
                    new String[] {ScriptedSentinel.ADDRESS, ScriptedSentinel.OTHERS, ScriptedSentinel.OWN_ID}) {
                AtomicInteger next = new AtomicInteger();
                sentinel.says(ScriptedSentinel.ADDRESS, "*0\r\n");
                sentinel.says(question, command -> shapes[next.getAndIncrement() % shapes.length]);
                await().atMost(PATIENCE).until(() -> {
                    sentinel.tell(group.message());
                    return next.get() > 2 * shapes.length;
                });
                assertNotMoved(node);
                sentinel.answersAsBefore(question);
            }
            sentinel.answersAsBefore(ScriptedSentinel.ADDRESS);
            awaitAnswer(node, "two");
        }
    }

    @Test
    void anEpochThatIsNoNumberIsOlderThanAny() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.get(1).refuse();
            group.get(2).refuse();
            group.get(0).names(group.two, 2);
            group.get(0)
                    .says(
                            ScriptedSentinel.PRIMARY,
                            "%1\r\n" + ScriptedSentinel.bulk("config-epoch") + ScriptedSentinel.bulk("many"));
            group.awaitRounds(group.get(0));
            assertNotMoved(node);
        }
    }

    private static ClientOptions impatient() {
        return ClientNode.options()
                .heartbeat(Duration.ofMillis(300))
                .commandTimeout(Duration.ofSeconds(2))
                .build();
    }

    private static void awaitAnotherConnection(ScriptedSentinel sentinel) {
        int before = sentinel.times("HELLO");
        await().atMost(PATIENCE).until(() -> sentinel.times("HELLO") > before);
    }
}
