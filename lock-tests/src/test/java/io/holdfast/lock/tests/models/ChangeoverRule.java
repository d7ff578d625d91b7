package io.holdfast.lock.tests.models;

/** The rules by which calls follow a slot from one primary to the next. */
enum ChangeoverRule implements Rule {
    OLD_ONE_ANSWERS(
            98, ChangeoverBounds.MOVED, ChangeoverModel.NO_ORPHAN, "calls wait until the old primary has answered"),
    GIVEN_UP_STAYS(
            6,
            ChangeoverBounds.MOVED,
            ChangeoverModel.NO_ORPHAN,
            "a redirected call that was given up is not sent again"),
    TAKEN_BACK(80, ChangeoverBounds.MOVED, ChangeoverModel.NO_ORPHAN, "a redirected call that waits can be taken back"),
    WRITTEN_STAYS(
            4,
            ChangeoverBounds.MOVED,
            ChangeoverModel.ONE_PLACE,
            "what the old primary was sent is not sent again unless it refuses"),
    UNWRITTEN_GOES_ALONG(
            98, ChangeoverBounds.REPLACED, ChangeoverModel.NO_ENDLESS_WAIT, "what was not written goes along"),
    GONE_ANSWERS(98, ChangeoverBounds.MOVED, ChangeoverModel.NO_ENDLESS_WAIT, "a connection that is gone has answered"),
    KEPT(98, ChangeoverBounds.MOVED, ChangeoverModel.NO_CALL_LOST, "what waits outlives the connection"),
    NEXT_TARGET(
            98,
            ChangeoverBounds.MOVED,
            ChangeoverModel.NO_CALL_LOST,
            "a change during a changeover is a new target of it");

    private final LeftOut leftOut;

    ChangeoverRule(int number, ChangeoverBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
