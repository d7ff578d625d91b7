package io.holdfast.cli.text;

/** The reader of standard output is gone, as with {@code | head -1}: the command ends, and says nothing. */
public final class ClosedPipeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClosedPipeException() {
        super("standard output is closed", null, false, false);
    }
}
