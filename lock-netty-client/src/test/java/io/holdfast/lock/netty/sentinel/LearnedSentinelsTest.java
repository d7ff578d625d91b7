package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sentinels that are not in a client's address. */
@Tag("proof")
class LearnedSentinelsTest {

    private static final int MOST = 32;

    @Test
    void sentinelsThatTheKnownOnesNameAreAskedToo() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = connectToFirst(group)) {
            group.awaitListeners();
            group.get(0).refuse();
            group.failOver();
            group.get(1).tell(group.message());
            awaitAnswer(node, "two");
        }
    }

    @Test
    void oneThatIsNotNamedAnyMoreAndDoesNotAnswerIsLeft() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(4);
                ClientNode node = connectToFirst(group)) {
            group.awaitListeners();
            ScriptedSentinel gone = group.get(3);
            gone.refuse();
            await().atMost(PATIENCE).until(() -> gone.connections() == 0);
            List<ScriptedSentinel> left = group.sentinels.subList(0, 3);
            left.forEach(each -> each.knows(left));
            await().atMost(PATIENCE).until(() -> logs.ours(Level.DEBUG).stream()
                    .anyMatch(line ->
                            line.contains("do not name " + gone.address().node() + " any more")));
            gone.refuseNoMore();
            int before = gone.times("HELLO");
            group.awaitRounds(group.get(0));
            assertThat(gone.times("HELLO")).isEqualTo(before);
            assertNotMoved(node);
        }
    }

    @Test
    void oneThatStandsInTheAddressIsNeverLeft() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            ScriptedSentinel away = group.get(2);
            away.refuse();
            List<ScriptedSentinel> left = group.sentinels.subList(0, 2);
            left.forEach(each -> each.knows(left));
            group.awaitRounds(group.get(0));
            away.refuseNoMore();
            await().atMost(PATIENCE).until(away::hasListener);
            assertNotMoved(node);
        }
    }

    /** As where all of them are deployed anew behind the names of before: their epochs begin at 0. */
    @Test
    void aGroupThatWasSetUpAnewAtTheSeedsIsNotOutvotedByThoseOfBefore() {
        try (ScriptedGroup group = ScriptedGroup.of(6);
                ClientNode node = ClientNode.connect(
                        ScriptedGroup.url(group.get(0), group.get(1), group.get(2)),
                        ClientNode.options().build())) {
            group.awaitListeners();
            group.failOver();
            awaitAnswer(node, "two");
            group.sentinels.subList(4, 6).forEach(ScriptedSentinel::refuse);
            List<ScriptedSentinel> anew = group.sentinels.subList(0, 3);
            anew.forEach(each -> {
                each.knows(anew);
                each.names(group.one, 0);
            });
            awaitAnswer(node, "one");
        }
    }

    @Test
    void noMoreThanThirtyTwoAreConnectedTo() {
        List<ScriptedSentinel> crowd = new ArrayList<>();
        try (ScriptedGroup group = ScriptedGroup.of(1)) {
            for (int i = 0; i < MOST + 8; i++) {
                crowd.add(ScriptedSentinel.start());
            }
            crowd.forEach(each -> {
                each.names(group.one, 1);
                each.knows(crowd);
            });
            group.get(0).knows(crowd);
            try (ClientNode node = connectToFirst(group)) {
                await().atMost(PATIENCE).until(() -> connected(crowd) == MOST - 1);
                group.awaitRounds(group.get(0));
                assertThat(connected(crowd)).isEqualTo(MOST - 1);
                assertNotMoved(node);
            }
        } finally {
            crowd.forEach(ScriptedSentinel::close);
        }
    }

    /** Line feeds would begin lines of the log, escapes would paint on the operator's terminal. */
    @Test
    void hostsThatAreNoneAreNeitherConnectedToNorShown() {
        List<String> hosts = List.of(
                "10.0.0.1\nERROR forged line",
                "\u001b[2Jhost",
                "h".repeat(10_000),
                "",
                " ",
                "a b",
                "%00",
                "fe80::1%eth0",
                "h\u202eost");
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node = group.connect()) {
            ScriptedSentinel sentinel = group.get(0);
            StringBuilder others = new StringBuilder("*" + 2 * hosts.size() + "\r\n");
            for (String host : hosts) {
                others.append(sentinel.other("id\n\u001b[31m", host, 26379));
                others.append(sentinel.other("x".repeat(10_000), "127.0.0.1", 99_999));
            }
            sentinel.says(ScriptedSentinel.OTHERS, others.toString());
            for (String host : hosts) {
                sentinel.says(ScriptedSentinel.ADDRESS, ScriptedSentinel.list(host, "6379"));
                group.awaitRounds(sentinel);
                assertNotMoved(node);
            }
            sentinel.says(ScriptedSentinel.ADDRESS, ScriptedSentinel.list("127.0.0.1", "6379\r\n\u001b[2J"));
            group.awaitRounds(sentinel);
            assertThat(logs.everything().filter(line -> line.contains("io.holdfast")))
                    .allSatisfy(line -> assertThat(line.strip()).doesNotContain("\u001b", "\nERROR", "\u202e"));
            assertThat(logs.everything().filter(line -> line.contains("io.holdfast")))
                    .allSatisfy(line -> assertThat(line.length()).isLessThan(5_000));
            sentinel.answersAsBefore(ScriptedSentinel.ADDRESS);
            sentinel.names(group.two, 2);
            awaitAnswer(node, "two");
        }
    }

    private static ClientNode connectToFirst(ScriptedGroup group) {
        return ClientNode.connect(
                ScriptedGroup.url(group.get(0)), ClientNode.options().build());
    }

    private static long connected(List<ScriptedSentinel> sentinels) {
        return sentinels.stream().filter(each -> each.times("HELLO") > 0).count();
    }
}
