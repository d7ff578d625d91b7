package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The server refused the call for good, and the call had no effect: wrong credentials, a missing permission, a key of
 * another type, memory full. Trying again without a change does not help.
 */
public final class LockServerException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockServerException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(message, lockName, owner, node, reason, cause);
    }
}
