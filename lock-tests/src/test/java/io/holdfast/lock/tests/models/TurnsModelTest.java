package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.TurnsState.Phase;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What happens in the model of turns. */
class TurnsModelTest {
    private static final int FAR = 1;

    @Test
    void aWaitingClientIsPassedByBothOthers() {
        assertThat(canBe(TurnsBounds.QUIET, state -> IntStream.range(0, 3)
                        .anyMatch(client -> Collections.frequency(passed(state, client), 1) == 2)))
                .isTrue();
    }

    @Test
    void aClientDiesWithAReservation() {
        assertThat(canBe(
                        TurnsBounds.DEAD,
                        state -> state.server().reserved()
                                && state.client(state.server().wanted().get(0)).phase() == Phase.DEAD))
                .isTrue();
    }

    @Test
    void theLockIsHeldAgainAfterAReservationThatWasNotUsed() {
        assertThat(canBe(
                        TurnsBounds.DEAD,
                        state -> state.seen().lapsed() != TurnsState.NONE
                                && state.server().holder() != TurnsState.NONE))
                .isTrue();
    }

    @Test
    void allThreeWaitForAFairCall() {
        assertThat(canBe(
                        TurnsBounds.FAIR,
                        state -> state.server().holder() == TurnsState.FAIR
                                && state.server().wanted().size() == 3))
                .isTrue();
    }

    @Test
    void anotherClientIsServedWhileTheWordOfAFarOneIsYoung() {
        assertThat(canBe(
                        TurnsBounds.FAR,
                        state -> state.client(FAR).way().young() > 0
                                && state.server().reserved()
                                && state.server().wanted().get(0) != FAR))
                .isTrue();
    }

    @Test
    void aFarClientComesToItsReservationWhileAnotherOneWaits() {
        assertThat(canBe(
                        TurnsBounds.FAR,
                        state -> state.server().holder() == FAR && state.seen().spared() > 0))
                .isTrue();
    }

    private static List<Integer> passed(TurnsState state, int client) {
        return state.seen().passed().subList(3 * client, 3 * client + 3);
    }

    private static boolean canBe(TurnsBounds bounds, Predicate<TurnsState> wanted) {
        return Narrowed.canBe(new TurnsModel(EnumSet.allOf(TurnsRule.class), bounds), wanted, 2_000_000);
    }
}
