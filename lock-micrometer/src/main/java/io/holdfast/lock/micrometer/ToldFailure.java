package io.holdfast.lock.micrometer;

import io.holdfast.lock.text.Printable;

/** A failure or a loss as an observation has it: the caller has the exception itself. Without a trace, which would be none of the caller's. */
final class ToldFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    ToldFailure(String lockName, String what, String detail) {
        super(
                Printable.message(
                        "lock '" + Printable.of(lockName) + "': " + what + (detail.isEmpty() ? "" : ": " + detail)),
                null,
                false,
                false);
    }
}
