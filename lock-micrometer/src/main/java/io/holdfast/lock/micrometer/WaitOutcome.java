package io.holdfast.lock.micrometer;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;

/** How a call that wanted a lock has ended. */
enum WaitOutcome {
    /** The server granted the lock. */
    GRANTED,
    /** A hold of the same client passed it on. */
    HANDED_OVER,
    /** Another owner had it and the caller was not willing to wait, or the caller gave up. */
    REFUSED,
    /** The wait was over. */
    TIMEOUT,
    /** The call failed. */
    ERROR;

    private final String text = Words.of(this);

    /** Of a call that got the lock. */
    static WaitOutcome ofAcquired(LockEvent event) {
        return event.handedOver() ? HANDED_OVER : GRANTED;
    }

    /** Of a call that ended without the lock. */
    static WaitOutcome ofRefused(LockEvent event) {
        return switch (event.failureReason().orElse(FailureReason.HELD_BY_ANOTHER)) {
            case HELD_BY_ANOTHER, WITHDRAWN -> REFUSED;
            case NOT_GRANTED -> TIMEOUT;
            default -> ERROR;
        };
    }

    /** As a tag has it. */
    String text() {
        return text;
    }
}
