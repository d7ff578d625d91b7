package io.holdfast.lock.tests.models;

/** The rules by which a latch counts each call once, and opens for those who await it and for no others. */
enum LatchRule implements Rule {
    COUNTED_BY_ID(58, LatchBounds.FENCED, LatchModel.COUNTS_ONCE, "a count has an id, and counts once for it"),
    ONE_GENERATION(58, LatchBounds.UNFENCED, LatchModel.COUNTS_ONCE, "a count is meant for one generation"),
    DOUBT(58, LatchBounds.FENCED, LatchModel.COUNTS_ONCE, "a count that may have been applied is not sent for another"),
    PRESENT(58, LatchBounds.FENCED, LatchModel.NO_COUNT_LOST, "else it is sent for the present generation"),
    GENERATION_SEEN(
            59, LatchBounds.FENCED, LatchModel.NO_LOST_WAKE_UP, "a later generation says that the latch opened"),
    LINE_SEEN(59, LatchBounds.FORGETFUL, LatchModel.NO_FALSE_OPENING, "but only one of the same line"),
    CONFIRMATION_LOOKS(59, LatchBounds.FENCED, LatchModel.NO_LOST_WAKE_UP, "a waiter looks at the confirmation"),
    PERMIT(59, LatchBounds.FENCED, LatchModel.NO_LOST_WAKE_UP, "a message during a look makes it look again"),
    GONE(60, LatchBounds.FORGETFUL, LatchModel.NO_FALSE_OPENING, "a latch that is gone is not open"),
    DELETION_TOLD(60, LatchBounds.DELETED, LatchModel.NO_LOST_WAKE_UP, "who deletes a latch tells those who wait");

    private final LeftOut leftOut;

    LatchRule(int number, LatchBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
