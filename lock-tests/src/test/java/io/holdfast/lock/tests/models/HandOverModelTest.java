package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.models.HandOverState.Client;
import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens in the model of local hand-over: a model without hand-overs would keep every invariant. */
class HandOverModelTest {

    @ParameterizedTest
    @EnumSource(names = "LONG_.*", mode = EnumSource.Mode.MATCH_NONE)
    void theLockIsHandedOnWithoutARequest(HandOverBounds bounds) {
        assertThat(canBe(bounds, HandOverModelTest::isHandedOn)).isTrue();
    }

    @Test
    void theLockIsHandedOnWhileTheRivalWaits() {
        assertThat(canBe(
                        HandOverBounds.QUIET,
                        state -> isHandedOn(state) && state.seen().waits() >= 0))
                .isTrue();
    }

    @Test
    void aKeyThatWasDeletedIsHandedOnForAWhile() {
        assertThat(canBe(
                        HandOverBounds.DELETED,
                        state -> state.client().hold() != null
                                && state.seen().gone() >= 0
                                && state.client().hold().token() > 1))
                .isTrue();
    }

    @Test
    void theRivalGetsTheLockAfterAHandOver() {
        assertThat(canBe(
                        HandOverBounds.QUIET,
                        state -> state.server().field() == HandOverState.RIVAL
                                && state.server().token() > 2))
                .isTrue();
    }

    /** The hold has a token that the server has never told. */
    private static boolean isHandedOn(HandOverState state) {
        Client self = state.client();
        return self.hold() != null
                && self.grant() != null
                && state.server().field() == self.grant().field()
                && self.hold().token() > state.server().token();
    }

    private static boolean canBe(HandOverBounds bounds, Predicate<HandOverState> wanted) {
        HandOverModel model = new HandOverModel(EnumSet.allOf(HandOverRule.class), bounds);
        return Narrowed.canBe(model, wanted, 1_000_000);
    }
}
