package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrimaryChoiceTest {

    private final PrimaryChoice choice = new PrimaryChoice();

    @Test
    void theOneThatCallsItselfPrimaryIsTaken() {
        assertThat(chosen(replica("a", "h1", 10), primary("b", "h1", "", 10))).containsExactly("b");
    }

    @Test
    void theSuccessorIsTakenAndNotTheOneThatIsAhead() {
        try (Logs logs = new Logs()) {
            assertThat(chosen(primary("stale", "h1", "", 1_493), primary("promoted", "h2", "h1", 87)))
                    .containsExactly("promoted");
            assertThat(chosen(primary("promoted", "h2", "h1", 87), primary("stale", "h1", "", 1_493)))
                    .containsExactly("promoted");
            assertThat(chosen(
                            primary("first", "h1", "", 9),
                            primary("third", "h3", "h2", 2),
                            primary("second", "h2", "h1", 5)))
                    .containsExactly("third");
            assertThat(logs.ours(Level.WARN)).isEmpty();
        }
    }

    @Test
    void strangersAreToldApartByTheirOffsetAndThatIsSaid() {
        try (Logs logs = new Logs()) {
            for (int i = 0; i < 3; i++) {
                assertThat(chosen(primary("a", "h1", "", 5), primary("b", "h2", "", 9), replica("c", "h1", 99)))
                        .containsExactly("b");
            }
            assertThat(logs.ours(Level.WARN)).singleElement().satisfies(line -> assertThat(line)
                    .contains("b and a call themselves primary", "taking b"));
        }
    }

    @Test
    void aHistoryThatWasSucceededIsNeverTakenAgain() {
        assertThat(chosen(primary("stale", "h1", "", 9), primary("promoted", "h2", "h1", 1)))
                .containsExactly("promoted");
        assertThat(chosen(primary("stale", "h1", "", 9_999))).isEmpty();
        assertThat(chosen(primary("stale", "h1", "", 9_999), primary("promoted", "h2", "h1", 1)))
                .containsExactly("promoted");
        // It comes back as the primary of the next promotion.
        assertThat(chosen(primary("stale", "h3", "h2", 1))).containsExactly("stale");
    }

    @Test
    void onlyThePrimaryThatWasThereOrItsSuccessorIsPlain() {
        assertThat(choice.isPlain(List.of(primary("any", "h0", "", 1)))).isTrue();
        chosen(primary("a", "h1", "", 1));
        assertThat(choice.isPlain(List.of(primary("a", "h1", "", 2)))).isTrue();
        assertThat(choice.isPlain(List.of(primary("b", "h2", "h1", 2)))).isTrue();
        assertThat(choice.isPlain(List.of(primary("stranger", "h9", "", 2)))).isFalse();
        assertThat(choice.isPlain(List.of(replica("b", "h1", 2)))).isFalse();
    }

    @Test
    void onesThatDoNotSayAreTriedWhereNoPrimaryIsKnown() {
        assertThat(chosen(silent("a"), replica("b", "h1", 1), silent("c"))).containsExactly("a", "c");
        assertThat(chosen(silent("a"), primary("b", "h1", "", 1))).containsExactly("b");
        assertThat(chosen(replica("a", "h1", 1), replica("b", "h1", 1))).isEmpty();
    }

    private List<String> chosen(Claim... claims) {
        return choice.among(List.of(claims)).stream().map(Claim::node).toList();
    }

    private static Claim primary(String node, String history, String former, long offset) {
        return claim(node, "master", history, former, offset);
    }

    private static Claim replica(String node, String history, long offset) {
        return claim(node, "slave", history, "", offset);
    }

    private static Claim silent(String node) {
        return claim(node, "", "", "", -1);
    }

    private static Claim claim(String node, String role, String history, String former, long offset) {
        return new Claim(node, InetSocketAddress.createUnresolved(node, 1), role, history, former, offset);
    }
}
