package io.holdfast.lock.tests.mutants;

/** A patch that does not fit the sources any more, or that makes no sense. */
final class PatchRefused extends Exception {
    private static final long serialVersionUID = 1;

    PatchRefused(String message) {
        super(message);
    }
}
