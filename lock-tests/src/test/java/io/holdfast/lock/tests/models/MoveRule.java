package io.holdfast.lock.tests.models;

/** The rules by which a lock is taken in a slot that is being moved. */
enum MoveRule implements Rule {
    TAKEN_FIRST(99, MoveBounds.BEHIND, MoveModel.TOKENS_INCREASE, "the lock is taken before its token is minted"),
    MINTED(99, MoveBounds.BEHIND, MoveModel.TOKENS_INCREASE, "the token is minted, not read ahead"),
    CONFIRMED(99, MoveBounds.BEHIND, MoveModel.TOKEN_STORED, "the lock is told its token before it is handed out"),
    CONFIRMED_OWN(99, MoveBounds.BEHIND, MoveModel.TOKEN_STORED, "only while it has the field"),
    CONFIRMED_ONCE(99, MoveBounds.UNFENCED, MoveModel.TOKEN_STORED, "a token that is confirmed stays"),
    ZERO_GOES_ON(99, MoveBounds.BEHIND, MoveModel.TOKENS_INCREASE, "a lock without a token is not granted yet"),
    SOURCE_FIRST(99, MoveBounds.BEHIND, MoveModel.ONE_PLACE, "the target is asked when the source has said ASK"),
    RELEASE_FOLLOWS(99, MoveBounds.BEHIND, MoveModel.NO_ORPHAN, "what the source does not have may be at the target"),
    MOVES_APART(99, MoveBounds.RECALLED, MoveModel.ONE_PLACE, "a move that was called off begins again later"),
    VALID_FROM_TAKE(14, MoveBounds.BEHIND, MoveModel.ONE_HOLDER, "validity counts from before the lock is taken");

    private final LeftOut leftOut;

    MoveRule(int number, MoveBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
