package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.MoveState.Client;
import io.holdfast.lock.tests.models.MoveState.Slot;
import io.holdfast.lock.tests.models.MoveState.Step;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens in the model of a slot that moves, and what does not depend on its rules. */
class MoveModelTest {

    @Test
    void aLockIsTakenWhileItsClockIsAtTheOtherServer() {
        MoveModel model = new MoveModel(EnumSet.allOf(MoveRule.class), MoveBounds.BEHIND);
        assertThat(Narrowed.canBe(
                        model,
                        state -> state.slot() == Slot.MOVING
                                && state.target().lock() != null
                                && state.source().clock() > 0
                                && state.clients().stream().anyMatch(MoveModelTest::isToBeConfirmed),
                        100_000))
                .isTrue();
    }

    /** What confirming is for is the token that the lock has at the server: repeated requests and elections read it there. */
    @Test
    void exclusionAndOrderDoNotDependOnConfirming() {
        for (MoveBounds bounds : List.of(MoveBounds.BEHIND, MoveBounds.AHEAD, MoveBounds.RECALLED)) {
            MoveModel model = new MoveModel(EnumSet.complementOf(EnumSet.of(MoveRule.CONFIRMED)), bounds);
            Model<MoveState> narrowed = Narrowed.without(model, MoveModel.TOKEN_STORED);
            assertThat(Explorer.explore(narrowed, 100_000).counterexample())
                    .as(bounds.name())
                    .isNull();
        }
    }

    private static boolean isToBeConfirmed(Client client) {
        return client.step() == Step.CONFIRM && client.valid();
    }
}
