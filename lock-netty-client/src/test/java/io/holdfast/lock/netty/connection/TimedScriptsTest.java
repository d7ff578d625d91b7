package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.client.Clients;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which scripts may do with an estimate of the server's time (rule 135). */
class TimedScriptsTest {

    private final NumberedScripts forms = new NumberedScripts();

    /** Most of them do no more than share a file with those that need the time: for tokens and turns, and to judge no hold. */
    @Test
    void onlyThoseThatCompareNoDeadlinesTakeTheTime() {
        assertThat(names(script -> forms.timed(forms.of(script)) != forms.of(script)))
                .containsExactlyInAnyOrder(
                        "acquire",
                        "adopt",
                        "confirm",
                        "fenced-get",
                        "fenced-set",
                        "force",
                        "join",
                        "latch-count",
                        "latch-delete",
                        "latch-look",
                        "latch-set",
                        "leave",
                        "mark",
                        "marked",
                        "mint",
                        "observe",
                        "proclaim",
                        "propose",
                        "read-adopt",
                        "reenter",
                        "release",
                        "renew",
                        "signal-look",
                        "signal-send",
                        "take",
                        "transfer",
                        "turn-acquire",
                        "turn-give-up",
                        "turn-propose",
                        "turn-release",
                        "turn-transfer");
    }

    @Test
    void noFormThatTakesTheTimeAsksForIt() {
        for (Script script : Clients.scripts()) {
            Script plain = forms.of(script);
            if (forms.timed(plain) != plain) {
                assertThat(forms.timed(plain).source()).doesNotContain("'TIME'").contains("{0, passed}");
            }
            assertThat(forms.timed(plain)).isSameAs(forms.timed(plain)).hasToString(script.name());
        }
    }

    @Test
    void itKeepsTheOtherFormsOfAScript() {
        Script release = Clients.scripts().stream()
                .filter(script -> script.name().equals("turn-release"))
                .findFirst()
                .orElseThrow();
        assertThat(forms.timed(forms.ofSharded(release)).source()).contains("'SPUBLISH'");
    }

    private static List<String> names(Predicate<Script> some) {
        return List.copyOf(Clients.scripts().stream()
                .filter(some)
                .map(Script::name)
                .collect(Collectors.toCollection(TreeSet::new)));
    }
}
