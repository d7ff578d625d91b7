package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;

/** An answer that the script does not give: something between client and server made it up, or mixed up two of them. */
public final class UnexpectedReplyException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public UnexpectedReplyException(String message) {
        super(Printable.message(message));
    }

    public UnexpectedReplyException(String message, Throwable cause) {
        super(Printable.message(message), cause);
    }
}
