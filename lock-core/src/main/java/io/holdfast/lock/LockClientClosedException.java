package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The client was closed, before or during the call.
 */
public final class LockClientClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockClientClosedException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(message, lockName, owner, node, reason, cause);
    }
}
