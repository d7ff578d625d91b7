package io.holdfast.lock.tests.simulation;

/** A broken promise. Thrown to end the run, through whatever calls are in progress. */
final class Violation extends Error {

    private static final long serialVersionUID = 1L;

    final String checker;

    Violation(String checker, String message) {
        super(message, null, false, false);
        this.checker = checker;
    }
}
