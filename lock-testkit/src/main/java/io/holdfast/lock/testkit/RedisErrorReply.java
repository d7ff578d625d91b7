package io.holdfast.lock.testkit;

/** An error that the server answered, such as {@code WRONGTYPE Operation against a key ...}. */
public final class RedisErrorReply extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisErrorReply(String message) {
        super(message);
    }

    /** The first word, such as {@code WRONGTYPE} or {@code ERR}. */
    public String code() {
        return String.valueOf(getMessage()).split(" ", 2)[0];
    }
}
