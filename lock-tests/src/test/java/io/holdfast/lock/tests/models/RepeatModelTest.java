package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What repeated releases let happen: a client that takes no lock would keep every invariant. */
class RepeatModelTest {

    @Test
    void theClientTakesTheLockThatTheNewServerHadMissedTheReleaseOf() {
        assertThat(canBe(state ->
                        state.server() == 1 && state.holds() && state.hold().field() == 3))
                .isTrue();
    }

    @Test
    void aHoldThatTheNewServerKnowsGoesOnBesideARepeatedRelease() {
        assertThat(canBe(state -> state.server() == 1
                        && state.hold().levels() > 1
                        && !state.repeats().isEmpty()))
                .isTrue();
    }

    private static boolean canBe(Predicate<RepeatState> wanted) {
        return Narrowed.canBe(new RepeatModel(EnumSet.allOf(RepeatRule.class), RepeatBounds.FAILOVER), wanted, 100_000);
    }
}
