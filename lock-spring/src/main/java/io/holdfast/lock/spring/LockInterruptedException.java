package io.holdfast.lock.spring;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;

/**
 * The thread was interrupted while it waited for the lock of a {@link Locked} method. The method did not run, the lock is not
 * held, and the thread's interrupt flag is set. A method that declares {@link InterruptedException} throws that instead.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockInterruptedException(String message, String lockName, String owner, InterruptedException cause) {
        super(message, lockName, owner, "", FailureReason.WITHDRAWN, cause);
    }
}
