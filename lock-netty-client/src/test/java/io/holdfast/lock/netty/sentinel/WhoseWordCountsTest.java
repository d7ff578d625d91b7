package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.address.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule 83: which Sentinels' words move a client. */
@Tag("proof")
class WhoseWordCountsTest {

    @Test
    void withoutAMessageAClientFindsOutByAsking() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.all(each -> each.names(group.two, 2));
            awaitAnswer(node, "two");
        }
    }

    @Test
    void aLiarThatNamesThreeOfItsOwnBringsNoMajority() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ScriptedGroup own = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            ScriptedSentinel liar = group.get(0);
            List<ScriptedSentinel> named = new ArrayList<>(own.sentinels);
            named.addAll(group.sentinels);
            liar.knows(named);
            own.all(each -> {
                each.names(group.two, 2);
                each.knows(named);
            });
            liar.names(group.two, 2);
            group.awaitRounds(liar);
            assertNotMoved(node);
            own.all(each -> assertThat(each.times("HELLO")).isZero());
        }
    }

    @Test
    void whereTwoDisagreeThePresentOneStaysAndTheyAreAskedAgainSoon() {
        try (ScriptedGroup group = ScriptedGroup.of(2);
                ClientNode node = group.connect()) {
            ScriptedSentinel ahead = group.get(0);
            int roundsBefore = ahead.rounds();
            ahead.names(group.two, 2);
            ahead.tell(group.message());
            // The first four follow one another within a second.
            await().atMost(PATIENCE).until(() -> ahead.rounds() >= roundsBefore + 5);
            assertNotMoved(node);
            group.get(1).names(group.two, 2);
            awaitAnswer(node, "two");
        }
    }

    @Test
    void oneThatAnswersAloneIsUsedAndTheLogSaysSoOnce() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.get(1).refuse();
            group.get(2).refuse();
            await().atMost(PATIENCE).until(() -> aloneWarnings(logs) == 1);
            group.get(0).names(group.two, 2);
            group.get(0).tell(group.message());
            awaitAnswer(node, "two");
            group.awaitRounds(group.get(0));
            assertThat(aloneWarnings(logs)).isEqualTo(1);
        }
    }

    /** As one that learns of a failover while it is asked: the old address and the new epoch would lead the client back. */
    @Test
    void anAddressThatChangesWithinAnAnswerIsNone() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            group.failOver();
            awaitAnswer(node, "two");
            AtomicInteger asked = new AtomicInteger();
            sentinel.says(
                    ScriptedSentinel.ADDRESS,
                    command -> ScriptedSentinel.list(
                            "127.0.0.1",
                            String.valueOf(asked.getAndIncrement() % 2 == 0 ? group.one.port() : group.two.port())));
            await().atMost(PATIENCE).until(() -> asked.get() >= 2);
            group.awaitRounds(sentinel);
            assertThat(node.echo("where").await()).isEqualTo("two");
            assertThat(node.news).hasSize(3);
        }
    }

    /** It may have been a replica meanwhile, and forgotten what it had granted. */
    @Test
    void aPrimaryThatWasReplacedAndIsBackIsConnectedToAnew() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.awaitListeners();
            group.all(each -> each.names(group.one, 3));
            group.get(0).tell(group.message());
            await().atMost(PATIENCE).until(() -> node.news.size() == 3);
            awaitAnswer(node, "one");
        }
    }

    @Test
    void aHostThatIsWrittenInTwoWaysIsOneHost() {
        try (ScriptedGroup group = ScriptedGroup.of(2)) {
            group.get(0).names(new Target.Host("LocalHost", group.one.port()), 1);
            group.get(1).names(new Target.Host("localhost", group.one.port()), 1);
            try (ClientNode node = group.connect()) {
                awaitAnswer(node, "one");
                group.get(0).names(new Target.Host("::ffff:127.0.0.1", group.two.port()), 2);
                group.get(1).names(new Target.Host("127.0.0.1", group.two.port()), 2);
                group.get(0).tell(group.message());
                awaitAnswer(node, "two");
            }
        }
    }

    /** Each answer comes later than a round is patient at first. */
    @Test
    void sentinelsThatAreFarAwayAreHeard() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.awaitListeners();
            group.all(each -> each.isFarAway(Duration.ofMillis(700)));
            group.failOver();
            awaitAnswer(node, "two");
            assertThat(node.news).hasSize(3);
        }
    }

    /** Sentinels name each other by addresses, and a user names them by host names. */
    @Test
    void aSentinelThatOthersNameByAnotherAddressHasOneConnection() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = ClientNode.connect(
                        group.url().replace("127.0.0.1", "localhost"),
                        ClientNode.options().build())) {
            group.awaitListeners();
            group.all(each -> group.awaitRounds(each));
            assertNotMoved(node);
            assertThat(group.sentinels)
                    .allSatisfy(each -> assertThat(each.connections()).isEqualTo(1));
        }
    }

    @Test
    void theLogNamesBothWhenAPrimaryIsReplaced() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.failOver();
            awaitAnswer(node, "two");
            assertThat(logs.ours(Level.INFO)).anySatisfy(line -> assertThat(line)
                    .contains(
                            "primary of orders is 127.0.0.1:" + group.two.port() + " now",
                            "no longer 127.0.0.1:" + group.one.port(),
                            "epoch 2"));
            assertThat(logs.ours(Level.WARN)).noneMatch(line -> line.startsWith("No connection to orders"));
        }
    }

    private static long aloneWarnings(Logs logs) {
        return logs.ours(Level.WARN).stream()
                .filter(line -> line.startsWith("Only one of 3 Sentinels"))
                .count();
    }
}
