package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.FailoverState.Server;
import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What the failover guard lets happen: a guard that grants nothing would keep every invariant. */
class FailoverModelTest {

    @Test
    void aHoldThatTheNewPrimaryKnowsGoesOnThere() {
        assertThat(canBe(state -> state.valid(0) == 2 && owner(state, 0) != 1 && owner(state, 1) == 1))
                .isTrue();
    }

    @Test
    void theNewPrimaryGrantsTheLockAfterThePause() {
        assertThat(canBe(state -> state.valid(1) == 2 && owner(state, 1) == 2 && state.latest() == 1))
                .isTrue();
    }

    private static int owner(FailoverState state, int server) {
        Server there = state.servers().get(server);
        return there.owner();
    }

    private static boolean canBe(Predicate<FailoverState> wanted) {
        FailoverModel model = new FailoverModel(EnumSet.allOf(FailoverRule.class), FailoverBounds.ONE);
        return Narrowed.canBe(model, wanted, 100_000);
    }
}
