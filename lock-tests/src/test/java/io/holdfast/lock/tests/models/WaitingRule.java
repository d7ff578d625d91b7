package io.holdfast.lock.tests.models;

/** The rules by which waiters are woken, and holds handed over. */
enum WaitingRule implements Rule {
    PUBLISHED(10, WaitingBounds.CANCEL, WaitingModel.NO_LOST_WAKE_UP, "what frees a key publishes"),
    CONFIRMATION_LOOKS(26, WaitingBounds.CANCEL, WaitingModel.NO_LOST_WAKE_UP, "a confirmation makes the head look"),
    PERMIT(26, WaitingBounds.CANCEL, WaitingModel.NO_LOST_WAKE_UP, "a message during an attempt is a permit"),
    NEW_HEAD_LOOKS(27, WaitingBounds.CANCEL, WaitingModel.NO_LOST_WAKE_UP, "a new head attempts at once"),
    LOCAL_END_LOOKS(28, WaitingBounds.TRANSFER, WaitingModel.NO_LOST_WAKE_UP, "the end of a hold makes the head look"),
    OWN_CONFIRMATION(29, WaitingBounds.CANCEL, WaitingModel.NO_LOST_WAKE_UP, "older confirmations are ignored"),
    RESUBSCRIBES(29, WaitingBounds.DROP, WaitingModel.NO_LOST_WAKE_UP, "a dropped subscription is made again"),
    IDLE_RECEIVER(30, WaitingBounds.TRANSFER, WaitingModel.NO_ORPHAN, "transfer only to who has nothing in flight"),
    AMBIGUITY_RESOLVED(30, WaitingBounds.TRANSFER, WaitingModel.NO_ORPHAN, "an unanswered transfer is sent again"),
    CANCEL_NOTED(30, WaitingBounds.TRANSFER, WaitingModel.NO_ORPHAN, "what a cancelled receiver gets is released"),
    FAILURE_LOOKS(
            30, WaitingBounds.TRANSFER, WaitingModel.NO_LOST_WAKE_UP, "after a failed transfer the head attempts"),
    SEEN(77, WaitingBounds.DEADLINE, WaitingModel.NO_BLIND_REFUSAL, "who has seen nobody is not refused"),
    SEEN_FROM_SEND(77, WaitingBounds.DEADLINE, WaitingModel.NO_BLIND_REFUSAL, "a sighting counts from its request");

    private final LeftOut leftOut;

    WaitingRule(int number, WaitingBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
