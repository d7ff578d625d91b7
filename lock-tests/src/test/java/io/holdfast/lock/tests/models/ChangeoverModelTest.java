package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.ChangeoverState.Kind;
import io.holdfast.lock.tests.models.ChangeoverState.Phase;
import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What happens in the model of the changeover, and what it does not count. */
class ChangeoverModelTest {

    @Test
    void aHoldGoesAlongWithItsSlot() {
        assertThat(canBe(state -> state.primary() == 1
                        && state.route().to() == 1
                        && phase(state) == Phase.HOLDING
                        && stored(state) == 1))
                .isTrue();
    }

    @Test
    void aReleaseWaitsForItsAcquireAtTheOtherServer() {
        assertThat(canBe(state -> state.waiting().stream().anyMatch(call -> call.kind() == Kind.RELEASE)
                        && state.server(0).sent().stream().anyMatch(call -> call.kind() == Kind.ACQUIRE)))
                .isTrue();
    }

    /** The limit of rule 98: no connection of the client is there to fence the old one when the slot comes back. */
    @Test
    void anOldSocketThatIsReadLateTakesTheLock() {
        assertThat(canBe(state -> state.excused().get(0) && phase(state) == Phase.OVER && stored(state) == 1))
                .isTrue();
    }

    private static Phase phase(ChangeoverState state) {
        return state.acquisitions().get(0).phase();
    }

    private static int stored(ChangeoverState state) {
        return state.server(state.primary()).fields().get(0);
    }

    private static boolean canBe(Predicate<ChangeoverState> wanted) {
        ChangeoverModel model = new ChangeoverModel(EnumSet.allOf(ChangeoverRule.class), ChangeoverBounds.MOVED);
        return Narrowed.canBe(model, wanted, 100_000);
    }
}
