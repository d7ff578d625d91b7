package io.holdfast.lock.testkit;

/** One source has no server to offer here. Checked, because the next source is then tried. */
final class SourceUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    SourceUnavailableException(String reason) {
        super(reason);
    }

    SourceUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
