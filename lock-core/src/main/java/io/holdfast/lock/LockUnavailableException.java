package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The store could not serve the call in time, and the call had no effect: no connection, a server that is loading,
 * busy or a replica. Trying again later can help.
 *
 * <p>A release that ends so has ended the hold in this client, and goes on in the background.
 */
public final class LockUnavailableException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockUnavailableException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(message, lockName, owner, node, reason, cause);
    }
}
