package io.holdfast.lock;

import io.holdfast.lock.text.Printable;

/**
 * A {@link CredentialsProvider} has no credentials now. Its message is shown in the log and in exceptions, so it holds no
 * secret.
 */
public final class CredentialsUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CredentialsUnavailableException(String message) {
        super(Printable.message(message));
    }

    public CredentialsUnavailableException(String message, Throwable cause) {
        super(Printable.message(message), cause);
    }
}
