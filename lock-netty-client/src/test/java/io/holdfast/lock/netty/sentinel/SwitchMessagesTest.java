package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.ClientNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What messages of Sentinels make a client do: ask, when they are about its primary, and not too often. */
@Tag("proof")
class SwitchMessagesTest {

    private static final int FLOOD = 100_000;

    @Test
    void aMessageOfAnotherNameIsNoReasonToAsk() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            int before = sentinel.rounds();
            long beginNanos = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                sentinel.tell("orders2 127.0.0.1 1 127.0.0.1 2");
                sentinel.tell("order 127.0.0.1 1 127.0.0.1 2");
                sentinel.tell("orders");
                sentinel.tell("");
            }
            // Any that counted would have been seen by the round that this one causes.
            sentinel.tell(group.message());
            await().atMost(PATIENCE).until(() -> sentinel.rounds() > before);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
            assertThat(sentinel.rounds() - before).isLessThanOrEqualTo((int) seconds + 3);
            assertNotMoved(node);
        }
    }

    @Test
    void aFloodOfMessagesIsNoFloodOfQuestions() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            int before = group.get(1).rounds();
            long beginNanos = System.nanoTime();
            String hundred = ScriptedSentinel.push(group.message()).repeat(100);
            for (int i = 0; i < FLOOD / 100; i++) {
                group.get(0).say(hundred);
                if (i % 100 == 0) {
                    assertThat(node.echo("where").await()).isEqualTo("one");
                }
            }
            group.all(each -> each.names(group.two, 2));
            group.get(0).tell(group.message());
            awaitAnswer(node, "two");
            long centiseconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos) / 10;
            assertThat((long) group.get(1).rounds() - before).isLessThanOrEqualTo(centiseconds + 10);
        }
    }
}
