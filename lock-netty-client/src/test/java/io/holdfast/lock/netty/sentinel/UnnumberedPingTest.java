package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.ClientNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentinels before 7.0, which take no argument with PING: the PONG has to come in its place. */
class UnnumberedPingTest {

    @Test
    void aSentinelThatTakesNoNumberIsHeard() {
        try (ScriptedGroup group = ofOldSentinels();
                ClientNode node = group.connect()) {
            assertNotMoved(node);
            group.failOver();
            awaitAnswer(node, "two");
            assertThat(group.get(0).times("HELLO")).isOne();
        }
    }

    @Test
    void anAnswerTooManyEndsTheConnectionThereToo() {
        try (ScriptedGroup group = ofOldSentinels();
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            int before = sentinel.times("HELLO");
            sentinel.says(ScriptedSentinel.OTHERS, "*0\r\n*0\r\n");
            sentinel.names(group.two, 2);
            await().atMost(PATIENCE).until(() -> sentinel.times("HELLO") > before);
            assertNotMoved(node);
            sentinel.answersAsBefore(ScriptedSentinel.OTHERS);
            awaitAnswer(node, "two");
        }
    }

    private static ScriptedGroup ofOldSentinels() {
        ScriptedGroup group = ScriptedGroup.of(1);
        group.all(each -> each.says("PING", UnnumberedPingTest::pong));
        return group;
    }

    private static String pong(List<String> command) {
        return command.size() == 1 ? "+PONG\r\n" : "-ERR wrong number of arguments for 'ping' command\r\n";
    }
}
