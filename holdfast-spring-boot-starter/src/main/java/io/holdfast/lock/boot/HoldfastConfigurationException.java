package io.holdfast.lock.boot;

import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;

/** What is configured gives no client. Its message says what is wrong, and {@link #action} what would do. */
final class HoldfastConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    HoldfastConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(Printable.message(message), cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
