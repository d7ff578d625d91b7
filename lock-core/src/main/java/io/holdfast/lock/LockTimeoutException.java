package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The lock was not granted within the time that {@link RLock#run} or {@link RLock#call} was given. Another
 * owner holds it; there was no fault.
 */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockTimeoutException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(message, lockName, owner, node, reason, cause);
    }
}
