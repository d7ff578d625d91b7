package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client does, and says, while no Sentinel answers. */
@Tag("proof")
class SentinelSilenceTest {

    /** How Sentinels fall silent. */
    private enum Manner {
        AWAY(ScriptedSentinel::refuse, ScriptedSentinel::refuseNoMore),
        STOPPED(ScriptedSentinel::hang, ScriptedSentinel::goOn);

        private final Consumer<ScriptedSentinel> begin;
        private final Consumer<ScriptedSentinel> end;

        Manner(Consumer<ScriptedSentinel> begin, Consumer<ScriptedSentinel> end) {
            this.begin = begin;
            this.end = end;
        }
    }

    @ParameterizedTest
    @EnumSource(Manner.class)
    void silenceIsSaidOnceAndSoIsItsEndAndThePrimaryStays(Manner manner) {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect(soon())) {
            group.all(manner.begin);
            await().atMost(PATIENCE).until(() -> silences(logs) == 1);
            assertThat(logs.ours(Level.WARN)).anySatisfy(line -> assertThat(line)
                    .contains(
                            "No Sentinel of orders has answered for 1000 ms",
                            "127.0.0.1:" + group.one.port() + " stays in use"));
            ScriptedGroup.assertNotMoved(node);
            assertThat(ends(logs)).isZero();

            group.all(manner.end);
            await().atMost(PATIENCE).until(() -> ends(logs) == 1);
            group.awaitListeners();
            group.awaitRounds(group.get(0));
            assertThat(silences(logs)).isEqualTo(1);
            assertThat(ends(logs)).isEqualTo(1);
            ScriptedGroup.assertNotMoved(node);
        }
    }

    /** The server that was the primary a while ago may not be it any more. */
    @Test
    void noConnectionIsMadeWithoutAWordOfASentinel() throws Exception {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect(ClientNode.options()
                        .commandTimeout(Duration.ofSeconds(2))
                        .build())) {
            group.all(ScriptedSentinel::refuse);
            await().atMost(PATIENCE).until(() -> group.sentinels.stream().allMatch(each -> each.connections() == 0));
            group.one.say("!nonsense ends the connection\r\n");
            await().atMost(PATIENCE).until(() -> node.news.size() == 2);
            assertThat(node.echo("where").await()).isInstanceOfSatisfying(Fault.class, fault -> {
                assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
                assertThat(fault.maybeApplied()).isFalse();
                assertThat(fault.detail()).contains("no Sentinel of orders answers");
            });
            group.all(ScriptedSentinel::refuseNoMore);
            awaitAnswer(node, "one");
        }
    }

    @Test
    void disagreementThatLastsIsSaidOnce() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(2);
                ClientNode node = group.connect(soon())) {
            group.get(0).names(group.two, 2);
            await().atMost(PATIENCE).until(() -> disagreements(logs) == 1);
            group.awaitRounds(group.get(0));
            assertThat(disagreements(logs)).isEqualTo(1);
            ScriptedGroup.assertNotMoved(node);
            group.get(0).names(group.one, 1);
            group.awaitRounds(group.get(0));
            assertThat(disagreements(logs)).isEqualTo(1);
        }
    }

    /** One of two is gone for good, and the other one begins anew: it alone is no majority of those that are known. */
    @Test
    void aSentinelThatBeginsAnewAloneIsSaidWithBothEpochs() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(2)) {
            group.all(each -> each.names(group.one, 7));
            try (ClientNode node = group.connect(soon())) {
                group.get(1).refuse();
                group.get(0).names(group.two, 0);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(logs.ours(Level.WARN)).anySatisfy(line -> assertThat(line)
                                .startsWith("the only Sentinel of orders that answers is of no use: ")
                                .contains("127.0.0.1:" + group.two.port() + " in epoch 0, which is older than epoch 7")
                                .endsWith("; 127.0.0.1:" + group.one.port() + " stays in use")));
                ScriptedGroup.assertNotMoved(node);
            }
        }
    }

    private static ClientOptions soon() {
        return ClientNode.options()
                .sentinel(
                        SentinelOptions.builder().silence(Duration.ofSeconds(1)).build())
                .build();
    }

    private static long silences(Logs logs) {
        return count(logs, Level.WARN, "No Sentinel of orders has answered");
    }

    private static long ends(Logs logs) {
        return count(logs, Level.INFO, "Sentinels of orders answer again");
    }

    private static long disagreements(Logs logs) {
        return count(logs, Level.WARN, "the Sentinels of orders do not agree on who is the primary");
    }

    private static long count(Logs logs, Level level, String beginning) {
        return logs.ours(level).stream()
                .filter(line -> line.startsWith(beginning))
                .count();
    }
}
