package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SeenLineTest {

    static Stream<Seen> everything() {
        return Stream.of(
                new Seen.Asked("a/1", "a", "job", "a#1", Call.ACQUIRE, 0, 100, 1),
                new Seen.Answered("a/1", Outcome.OK, 17, 2, Long.MAX_VALUE, "", 2),
                new Seen.Lasting("a", "job", "a#1", 17, 30, 3),
                new Seen.Told("a", "job", 17, "KEY_GONE: 100 % gone\nfor good", 4),
                new Seen.Wrote("a", "fenced", 17, true, 5),
                new Seen.Count(1, 2, 3, 4),
                new Seen.Fault("SIGSTOP = ü", Seen.Harm.FREEZE, 6, 7),
                new Seen.Forgot("job", 8, 9),
                new Seen.Bite(1, "x"),
                new Seen.Note(""),
                new Seen.Problem("ME", "two holders"));
    }

    @ParameterizedTest
    @MethodSource("everything")
    void comesBackAsItWas(Seen seen) {
        assertThat(SeenLine.write(seen)).startsWith(SeenLine.BEGINNING).doesNotContain("\n");
        assertThat(SeenLine.read(SeenLine.write(seen))).isEqualTo(seen);
    }

    @Test
    void everythingIsEverything() {
        assertThat(everything().map(Object::getClass)).containsExactlyInAnyOrder(Seen.class.getPermittedSubclasses());
    }

    @Test
    void otherLinesAreRefused() {
        assertThatThrownBy(() -> SeenLine.read("seen nothing")).hasMessageContaining("not a line of this kind");
    }
}
