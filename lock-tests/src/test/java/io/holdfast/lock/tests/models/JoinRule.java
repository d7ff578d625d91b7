package io.holdfast.lock.tests.models;

/** The rules by which a hold regains nodes. */
enum JoinRule implements Rule {
    OWN_OR_FREE(JoinBounds.BREAK, JoinModel.IS_THERE, "refused where another field is"),
    UNCOUNTED(JoinBounds.REJOIN, JoinModel.NO_REVIVAL, "sent only to a node that does not count"),
    VOTES(JoinBounds.LONG_RESTART, JoinModel.ONE_HOLDER, "counted only from a node that votes"),
    VALID_FROM_SEND(JoinBounds.EXPIRY, JoinModel.IS_THERE, "validity counts from before the join"),
    LIVES(JoinBounds.DELETION, JoinModel.NO_REVIVAL, "counted only while the hold lives"),
    CONFIRMED(JoinBounds.LATE_DELETION, JoinModel.NO_REVIVAL, "counts once the others have confirmed the hold"),
    VANISHED_STAYS(JoinBounds.DELETIONS, JoinModel.STAYS_GONE, "not sent where the field vanished"),
    UNDO_CONFIRMED(JoinBounds.BREAKS, JoinModel.IS_THERE, "not sent while an undo is unconfirmed"),
    RELEASED(JoinBounds.BREAK, JoinModel.NO_ORPHAN, "a release reaches the nodes of unanswered joins"),
    BEHIND(JoinBounds.BREAK, JoinModel.NO_ORPHAN, "a release travels behind the join"),
    ABSOLUTE_COUNT(JoinBounds.COUNT, JoinModel.NODES_AGREE, "carries the hold's count"),
    COUNT_CORRECTED(JoinBounds.COUNT, JoinModel.NODES_AGREE, "a count that has changed since is sent again"),
    TOKEN_KEPT(JoinBounds.TOKEN, JoinModel.NODES_AGREE, "carries the hold's token"),
    CLOCK_RAISED(JoinBounds.ROLLING, JoinModel.TOKENS_INCREASE, "raises the token clock to the hold's token"),
    CLOCK_NOT_LOWERED(JoinBounds.TOKEN, JoinModel.TOKENS_INCREASE, "never lowers the token clock");

    private final LeftOut leftOut;

    JoinRule(JoinBounds bounds, String guards, String says) {
        leftOut = new LeftOut(73, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
