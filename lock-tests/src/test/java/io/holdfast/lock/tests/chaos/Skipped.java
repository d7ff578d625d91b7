package io.holdfast.lock.tests.chaos;

/** This machine can't play a row; the message says why. */
final class Skipped extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Skipped(String reason) {
        super(reason);
    }
}
