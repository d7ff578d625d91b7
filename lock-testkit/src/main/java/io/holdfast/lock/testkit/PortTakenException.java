package io.holdfast.lock.testkit;

/** Another process listens on the port that the server was to use. */
final class PortTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
