package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ExplorerTest {

    /** Two jugs of 5 and 3 litres; the old riddle is to get 4 litres. */
    private record Jugs(int five, int three) {}

    private record Riddle(Predicate<Jugs> invariant) implements Model<Jugs> {
        @Override
        public Jugs start() {
            return new Jugs(0, 0);
        }

        @Override
        public void steps(Jugs state, Steps<Jugs> steps) {
            steps.step(new Jugs(5, state.three), () -> "fill 5");
            steps.step(new Jugs(state.five, 3), () -> "fill 3");
            steps.step(new Jugs(0, state.three), () -> "empty 5");
            steps.step(new Jugs(state.five, 0), () -> "empty 3");
            int into3 = Math.min(state.five, 3 - state.three);
            steps.step(new Jugs(state.five - into3, state.three + into3), () -> "pour 5 into 3");
            int into5 = Math.min(state.three, 5 - state.five);
            steps.step(new Jugs(state.five + into5, state.three - into5), () -> "pour 3 into 5");
        }

        @Override
        public List<Invariant<Jugs>> invariants() {
            return List.of(new Invariant<>("not yet", invariant));
        }
    }

    @Test
    void aCounterexampleIsAShortestOneAndReadsInOrder() {
        Exploration found = Explorer.explore(new Riddle(jugs -> jugs.five != 4), 100);
        assertThat(found.depth()).isEqualTo(6);
        assertThat(found.counterexample().broken()).isEqualTo("not yet");
        assertThat(found.counterexample().steps())
                .extracting(Counterexample.Step::what)
                .containsExactly("fill 5", "pour 5 into 3", "empty 3", "pour 5 into 3", "fill 5", "pour 5 into 3");
        assertThat(found.counterexample().toString()).contains("  6. pour 5 into 3", "Jugs[five=4, three=3]");
    }

    @Test
    void withoutACounterexampleEveryStateWasVisitedOnce() {
        Exploration found = Explorer.explore(new Riddle(jugs -> jugs.five + jugs.three <= 8), 100);
        assertThat(found.counterexample()).isNull();
        assertThat(found.states()).isEqualTo(16);
    }

    @Test
    void theStartMayBreakAnInvariant() {
        Exploration found = Explorer.explore(new Riddle(jugs -> jugs.five > 0), 100);
        assertThat(found.counterexample().length()).isZero();
    }

    @Test
    void aModelThatIsNotSmallIsRefused() {
        assertThatThrownBy(() -> Explorer.explore(new Riddle(jugs -> true), 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: <= 10");
    }
}
