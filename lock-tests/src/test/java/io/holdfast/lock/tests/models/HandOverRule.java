package io.holdfast.lock.tests.models;

/** The rules by which a client hands a lock on among its own calls. */
enum HandOverRule implements Rule {
    GRANT_ENDS_FIRST(100, HandOverBounds.QUIET, HandOverModel.ONE_HOLDER, "a grant ends before its release is sent"),
    CLOCK_FIRST(101, HandOverBounds.QUIET, HandOverModel.LEASE_KEPT, "the clock is looked at before each hand-out"),
    PROMISE_KEPT(102, HandOverBounds.QUIET, HandOverModel.LEASE_KEPT, "only while the grant lasts for the whole lease"),
    WINDOW(103, HandOverBounds.WATCHED_ALONE, HandOverModel.NOTICED, "only while the window is open"),
    RENEWAL_OPENS_NONE(103, HandOverBounds.WATCHED, HandOverModel.TURN_ENDS, "a renewal opens no window"),
    BLOCK_RESERVED(105, HandOverBounds.QUIET, HandOverModel.TOKENS_INCREASE, "tokens are of a block that is reserved"),
    REPEAT_OF_ONE(105, HandOverBounds.MOVING, HandOverModel.TOKENS_INCREASE, "a repeated request has one token"),
    SAME_LEASE(107, HandOverBounds.LEASES, HandOverModel.LEASE_KEPT, "only calls of one lease share a grant"),
    TOLD_AT_GRANT(109, HandOverBounds.QUIET, HandOverModel.TURN_ENDS, "a grant tells that others wait"),
    TOLD_AT_TRANSFER(109, HandOverBounds.QUIET, HandOverModel.TURN_ENDS, "so does a transfer"),
    WANTED(109, HandOverBounds.QUIET, HandOverModel.TURN_ENDS, "a refused call leaves word in the lock"),
    RECALL_HEARD(109, HandOverBounds.QUIET, HandOverModel.TURN_ENDS, "a message begins the last turn"),
    TOLD_AGAIN(109, HandOverBounds.DROP, HandOverModel.TURN_ENDS, "word stays when it is told of"),
    SUSPENDED(113, HandOverBounds.WATCHED_RESTART, HandOverModel.NOTICED, "a reconnect closes the window"),
    CALLED_AGAIN(115, HandOverBounds.QUIET, HandOverModel.NONE_FORGOTTEN, "what can't be handed on is transferred"),
    GONE_ASKS(116, HandOverBounds.DELETED, HandOverModel.NONE_FORGOTTEN, "when the field is gone the head asks"),
    LOSS_ASKS(116, HandOverBounds.QUIET, HandOverModel.NONE_FORGOTTEN, "when the hold is lost the head asks");

    private final LeftOut leftOut;

    HandOverRule(int number, HandOverBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
