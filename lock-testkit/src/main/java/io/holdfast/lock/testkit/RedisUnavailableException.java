package io.holdfast.lock.testkit;

/** No server could be obtained. The message says, for each source that was tried, why not. */
public final class RedisUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RedisUnavailableException(String message) {
        super(message);
    }
}
