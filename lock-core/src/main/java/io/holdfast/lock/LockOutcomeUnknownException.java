package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The call's effect is not known: the request may have reached the server and no answer came back in time.
 *
 * <p>Nothing was handed out. What the call may have left on the server is undone in the background, again and again
 * until the server confirms it or the lease is over; at the latest then the lock is free.
 */
public final class LockOutcomeUnknownException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockOutcomeUnknownException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(message, lockName, owner, node, reason, cause);
    }
}
