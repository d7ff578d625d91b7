package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.topology.FakeServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The address that Sentinels name stays, and leads to another server than before; the one of before goes on. */
class MovedPrimaryNameTest {

    private static final String OLD = "a".repeat(40);
    private static final String NEW = "b".repeat(40);

    /** Where the first server's address leads. */
    private volatile int target;

    @Test
    void aPrimaryWhoseAddressLeadsElsewhereByNowIsLeft() {
        try (ScriptedGroup group = group();
                ClientNode node = connect(group)) {
            target = group.two.port();
            assertNotMoved(node);
            group.all(each -> each.finds(NEW));
            awaitAnswer(node, "two");
            assertThat(node.news)
                    .startsWith("up 127.0.0.1:" + group.one.port(), "down DISCONNECTED")
                    .hasSize(3);
        }
    }

    /** Sentinels ask a server who it is every ten seconds, and a client comes back to it at once. */
    @Tag("proof")
    @Test
    void aRestartThatSentinelsHearOfLateMovesNoClient() {
        try (ScriptedGroup group = group()) {
            group.one.runsAs(NEW);
            try (ClientNode node = connect(group)) {
                rounds(group);
                assertNotMoved(node);
                group.all(each -> each.finds(NEW));
                rounds(group);
                assertNotMoved(node);
            }
        }
    }

    @Tag("proof")
    @Test
    void oneOfThreeSentinelsThatFindsAnotherMovesNoClient() {
        try (ScriptedGroup group = group();
                ClientNode node = connect(group)) {
            target = group.two.port();
            for (String found : new String[] {NEW, OLD, NEW, ""}) {
                group.get(0).finds(found);
                rounds(group);
            }
            assertNotMoved(node);
        }
    }

    /** It has found the primary of before, and at another address. */
    @Test
    void whatSentinelsTellOfThePrimaryOfBeforeIsNoNews() {
        try (ScriptedGroup group = group();
                ClientNode node = connect(group)) {
            group.all(each -> each.leads(true));
            group.all(each -> each.finds(NEW));
            rounds(group);
            assertNotMoved(node);
        }
    }

    /** As right after a switch, when a Sentinel has not asked the new primary yet. */
    @Test
    void aProcessThatIsFoundForTheFirstTimeIsNoNews() {
        try (ScriptedGroup group = group()) {
            group.all(each -> each.finds(""));
            try (ClientNode node = connect(group)) {
                group.all(each -> each.finds(NEW));
                rounds(group);
                assertNotMoved(node);
            }
        }
    }

    /** Three that have found the old server at the first server's address. */
    private ScriptedGroup group() {
        ScriptedGroup group = ScriptedGroup.of(3);
        group.one.runsAs(OLD);
        group.two.runsAs(NEW);
        group.all(each -> each.finds(OLD));
        target = group.one.port();
        return group;
    }

    private ClientNode connect(ScriptedGroup group) {
        FakeServer first = group.one;
        ClientOptions options = ClientNode.options()
                .addressMapper(announced ->
                        announced.port() == first.port() ? new NodeAddress(announced.host(), target) : announced)
                .build();
        return group.connect(options);
    }

    private static void rounds(ScriptedGroup group) {
        int before = group.get(0).rounds();
        group.awaitRounds(group.get(0));
        await().atMost(PATIENCE).until(() -> group.sentinels.stream().allMatch(each -> each.rounds() > before + 2));
    }
}
