package io.holdfast.lock;

/** As what a lock is held, or wanted. Holds of one lock exclude each other, but for those of readers. Later versions may add kinds. */
public enum HoldKind {
    /** As {@link LockClient#getLock} has it, and {@link LockClient#getFencedLock}. */
    PLAIN,
    /** As {@link LockClient#getFairLock} has it. */
    FAIR,
    /** By the {@link RReadWriteLock#readLock() read lock}, together with other readers. */
    READ,
    /** By the {@link RReadWriteLock#writeLock() write lock}. */
    WRITE,
    /** A permit of a semaphore, as {@link LockClient#getPermitExpirableSemaphore} or {@link LockClient#getSemaphore} has it. */
    PERMIT
}
