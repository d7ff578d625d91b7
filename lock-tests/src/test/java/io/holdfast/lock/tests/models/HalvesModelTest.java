package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What happens in the model of read/write locks over five nodes, for which no rule is left out in the table. */
class HalvesModelTest {

    @Test
    void twoReadersHoldTogetherOverFiveNodes() {
        assertThat(canBe(HalvesBounds.FIVE, state -> state.holds(0) && state.holds(1)))
                .isTrue();
    }

    @Test
    void aWriterGetsAMinorityBesideAReader() {
        assertThat(canBe(
                        HalvesBounds.FIVE,
                        state -> state.holds(0)
                                && state.nodes().stream()
                                                .filter(node -> node.writer() == 2)
                                                .count()
                                        == 2))
                .isTrue();
    }

    @Test
    void withoutAMajorityOfReadsAWriterHoldsBesideAReader() {
        assertThat(broken(HalvesBounds.FIVE, HalvesRule.MAJORITY_READS)).isTrue();
    }

    @Test
    void withoutTheRefusalOfReadersAReaderHoldsBesideAWriter() {
        assertThat(broken(HalvesBounds.FIVE, HalvesRule.READER_REFUSED)).isTrue();
    }

    @Test
    void aNodeThatHasForgottenReadersIsLeftOutOfFive() {
        assertThat(broken(HalvesBounds.FIVE_RESTART, HalvesRule.FORGETFUL_LEFT_OUT))
                .isTrue();
    }

    private static boolean canBe(HalvesBounds bounds, Predicate<HalvesState> wanted) {
        return Narrowed.canBe(new HalvesModel(EnumSet.allOf(HalvesRule.class), bounds), wanted, 100_000);
    }

    private static boolean broken(HalvesBounds bounds, HalvesRule without) {
        Set<HalvesRule> others = EnumSet.complementOf(EnumSet.of(without));
        return Explorer.explore(new HalvesModel(others, bounds), 100_000).counterexample() != null;
    }
}
