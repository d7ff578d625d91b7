package io.holdfast.cli.doctor;

import io.holdfast.lock.LockFailure;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What came of a trial.
 *
 * @param kind what was tried
 * @param millis how long it took
 * @param failure what ended it; null if it did all that it should
 */
public record TrialOutcome(TriedKind kind, long millis, @Nullable Throwable failure) {

    /** Whether it should work and does not; not every kind is offered everywhere, as on a quorum. */
    public boolean isFailure() {
        return failure != null && !(failure instanceof UnsupportedOperationException);
    }

    /** The reason of a failure in one word: that of the library, {@code HANGS}, {@code NOT_OFFERED}, or
     * {@code WRONG}. */
    public String verdict() {
        return failure == null ? "works" : verdict(failure);
    }

    /** The words of the failure; empty if there is none. */
    public String words() {
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    static String verdict(Throwable failure) {
        if (failure instanceof LockFailure known) {
            return known.reason().name();
        }
        if (failure instanceof UnsupportedOperationException) {
            return "NOT_OFFERED";
        }
        return failure instanceof TimeoutException ? "HANGS" : "WRONG";
    }
}
