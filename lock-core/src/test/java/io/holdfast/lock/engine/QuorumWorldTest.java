package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Hundreds of seeded runs over nodes with faults, or as many as holdfast.seeds says; a failure names its seed. */
class QuorumWorldTest {
    private static final int SEEDS = Integer.getInteger("holdfast.seeds", 400);

    @Test
    void noTwoHoldsAreValidAtOnceTokensIncreaseAndNothingIsLeft() {
        runAll(false);
    }

    @Test
    void noTwoHoldsAreValidAtOnceWhenNodesForgetOneAtATime() {
        runAll(true);
    }

    @Test
    void theRunsWouldNoticeTwoHolds() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        new QuorumWorld(seed, true, false).run();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is valid, and so is");
    }

    private static void runAll(boolean restarts) {
        long granted = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            QuorumWorld world = new QuorumWorld(seed, restarts, true);
            try {
                world.run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
            granted += world.granted;
        }
        assertThat(granted).as("grants in all runs").isGreaterThan(5L * SEEDS);
    }
}
