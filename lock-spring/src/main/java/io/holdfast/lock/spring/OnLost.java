package io.holdfast.lock.spring;

/** What happens if the lock is lost while a {@link Locked} method runs. */
public enum OnLost {
    /** The method goes on; the call then throws {@link io.holdfast.lock.LockLostException}. Its transaction is rolled back. */
    THROW,
    /**
     * The method is stopped at once: its thread is interrupted, its subscription or coroutine is cancelled, its stage is
     * completed. The call then throws {@link io.holdfast.lock.LockLostException}. The thread is not interrupted once the
     * method has ended.
     */
    INTERRUPT,
    /** Nothing: the call ends as the method does, and its transaction is committed. For work that a token guards. */
    IGNORE
}
