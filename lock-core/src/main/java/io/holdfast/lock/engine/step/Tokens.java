package io.holdfast.lock.engine.step;

import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;

/** The fencing tokens that scripts answer with. */
public final class Tokens {

    private Tokens() {}

    /** The token of an answer {@code {1, token, ...}}. No script mints one below 1, so that is no such answer. */
    public static long of(Reply granted) {
        long token = granted.integer(1);
        if (token <= 0) {
            throw new UnexpectedReplyException("token: " + token + " (expected: > 0)");
        }
        return token;
    }
}
