package io.holdfast.lock.tests.models;

/** The rules by which no signal is lost, and none is taken for two, or for the end of a call's time. */
enum ConditionRule implements Rule {
    ONE_STEP(
            63,
            ConditionBounds.SIGNALS,
            ConditionModel.NO_LOST_WAKE_UP,
            "the lock is given up and the condition entered in one step"),
    NOWHERE_JOINS(
            63,
            ConditionBounds.LATE,
            ConditionModel.NO_LOST_WAKE_UP,
            "a field that is nowhere joins the lock's queue, and never the condition"),
    HOLD_NAMED(
            63,
            ConditionBounds.UNFENCED,
            ConditionModel.ONE_HOLDER,
            "what is given up is named by the field of its hold, not by its owner"),
    HOLDER_SIGNALS(64, ConditionBounds.SIGNALS, ConditionModel.NO_LOST_WAKE_UP, "only the holder of the lock signals"),
    SIGNAL_ONCE(64, ConditionBounds.FENCED, ConditionModel.SIGNALS_ONCE, "a repeated signal moves no other call"),
    PRESENT(64, ConditionBounds.ABSENT, ConditionModel.NO_LOST_WAKE_UP, "a signal passes clients that are not present"),
    LEAVING_QUEUES(
            64,
            ConditionBounds.FENCED,
            ConditionModel.NO_LOST_WAKE_UP,
            "a call whose time is over leaves for the lock's queue, and gives no place there up"),
    SIGNAL_COUNTS(
            64,
            ConditionBounds.FENCED,
            ConditionModel.SIGNAL_TOLD,
            "a call that a signal has moved is signalled, whatever its time says"),
    LEAVING_REMEMBERED(
            64, ConditionBounds.FENCED, ConditionModel.LEAVING_TOLD, "a call that has left by itself is told so again");

    private final LeftOut leftOut;

    ConditionRule(int number, ConditionBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
