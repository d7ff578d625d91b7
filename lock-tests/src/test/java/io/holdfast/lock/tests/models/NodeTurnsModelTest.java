package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.NodeTurnsState.Phase;
import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What happens in the model of turns over several nodes. */
class NodeTurnsModelTest {

    @Test
    void eachOfTwoHasANodeAndNoneAMajority() {
        assertThat(canBe(
                        NodeTurnsBounds.TWO,
                        state -> state.nodes().get(0).holder() == 1
                                && state.nodes().get(1).holder() == 2
                                && state.clients().stream().anyMatch(client -> client.phase() == Phase.WAITING)))
                .isTrue();
    }

    @Test
    void nodesReserveWhatIsFreedForDifferentClients() {
        assertThat(canBe(
                        NodeTurnsBounds.HELD,
                        state -> state.nodes().stream()
                                        .filter(node -> node.reserved() && !node.lapsed())
                                        .map(node -> node.first(true))
                                        .distinct()
                                        .count()
                                > 1))
                .isTrue();
    }

    @Test
    void bothWaitWhenTheHolderReleases() {
        assertThat(canBe(
                        NodeTurnsBounds.HELD,
                        state -> state.seen().orderly()
                                && state.clients().stream()
                                                .filter(client -> client.phase() == Phase.WAITING)
                                                .count()
                                        == 2))
                .isTrue();
    }

    @Test
    void aClientDiesForWhichAMajorityIsReserved() {
        assertThat(canBe(
                        NodeTurnsBounds.DEAD,
                        state -> state.nodes().stream()
                                        .filter(node -> node.reserved()
                                                && state.client(node.first(true))
                                                                .phase()
                                                        == Phase.DEAD)
                                        .count()
                                >= NodeTurnsState.MAJORITY))
                .isTrue();
    }

    private static boolean canBe(NodeTurnsBounds bounds, Predicate<NodeTurnsState> wanted) {
        return Narrowed.canBe(new NodeTurnsModel(EnumSet.allOf(NodeTurnsRule.class), bounds), wanted, 1_000_000);
    }
}
