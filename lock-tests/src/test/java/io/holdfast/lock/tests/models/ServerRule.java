package io.holdfast.lock.tests.models;

/** The rules by which a lock on one server excludes, is lost once, and leaves nothing behind. */
enum ServerRule implements Rule {
    FIELD_PER_ACQUISITION(1, ServerBounds.UNFENCED, ServerModel.ONE_HOLDER, "a field is never used twice"),
    ABSOLUTE_COUNT(2, ServerBounds.RECONNECT, ServerModel.NO_ORPHAN, "a request names the count to reach"),
    FENCE(5, ServerBounds.RECONNECT, ServerModel.NO_ORPHAN, "a new connection first ends the old one"),
    CREATED_BY_ACQUIRE(7, ServerBounds.FORGETFUL, ServerModel.NO_REVIVAL, "only an acquire creates a key"),
    RAISED_ONLY(8, ServerBounds.QUIET, ServerModel.ONE_HOLDER, "a time to live is never lowered"),
    TRANSFER_ANSWERS(9, ServerBounds.RECONNECT, ServerModel.NO_ORPHAN, "a transfer knows that it has been done"),
    VALID_FROM_SEND(14, ServerBounds.QUIET, ServerModel.ONE_HOLDER, "validity counts from before the request"),
    LOSS_LATCHED(15, ServerBounds.UNFENCED, ServerModel.NO_REVIVAL, "a hold whose validity passed stays lost"),
    ENDS_FIRST(17, ServerBounds.QUIET, ServerModel.ONE_HOLDER, "a hold ends before its release is sent"),
    UNDONE(20, ServerBounds.QUIET, ServerModel.NO_ORPHAN, "what may have been applied is undone");

    private final LeftOut leftOut;

    ServerRule(int number, ServerBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
