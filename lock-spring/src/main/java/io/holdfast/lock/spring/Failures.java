package io.holdfast.lock.spring;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;

/** The failures of calls under locks. */
final class Failures {

    private Failures() {}

    static LockTimeoutException notGranted(LockRequest request) {
        String what = request.waitFor().isZero()
                ? "another owner holds it"
                : "it was not granted within " + Durations.of(request.waitFor());
        FailureReason reason = request.waitFor().isZero() ? FailureReason.HELD_BY_ANOTHER : FailureReason.NOT_GRANTED;
        return new LockTimeoutException(
                "lock '" + Printable.of(request.shownKeys()) + "' for " + Printable.of(request.caller()) + ": " + what,
                request.shownKeys(),
                request.client().id(),
                "",
                reason,
                null);
    }

    /** @param held as what a call further out, or a transaction, has the key */
    static IllegalStateException wouldWaitForItself(LockRequest request, String key, Kind held) {
        return new IllegalStateException(Printable.message(
                "lock '" + Printable.of(key) + "' for " + Printable.of(request.caller()) + ": wanted as "
                        + request.kind() + " within what holds it as " + held
                        + ", it would wait for itself (expected: the outer call as " + request.kind()
                        + " too, or this one after it)"));
    }

    static LockInterruptedException interrupted(LockRequest request, InterruptedException interrupted) {
        return new LockInterruptedException(
                "lock '" + Printable.of(request.shownKeys()) + "' for " + Printable.of(request.caller())
                        + ": the thread was interrupted while it waited",
                request.shownKeys(),
                request.client().id(),
                interrupted);
    }
}
