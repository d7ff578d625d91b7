package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine's classes are not tied into one knot. */
@Tag("proof")
class KnotsTest {

    /** Lower it when less is reached; never raise it. */
    private static final int LARGEST = 8;

    @Test
    void noKnotOfTheEngineIsLarge() {
        assertThat(Knots.ofTheEngine()).allSatisfy(knot -> assertThat(knot).hasSizeLessThanOrEqualTo(LARGEST));
    }

    @Test
    void aKnotIsFoundAndWhatOnlyLeadsToItIsNotInIt() {
        Map<String, Set<String>> arrows = Map.of(
                "a", Set.of("b"),
                "b", Set.of("c"),
                "c", Set.of("a", "d"),
                "d", Set.of(),
                "e", Set.of("a"));
        assertThat(Knots.of(arrows)).containsExactly(Set.of("a", "b", "c"));
    }
}
