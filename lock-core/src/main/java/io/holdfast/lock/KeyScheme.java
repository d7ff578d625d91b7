package io.holdfast.lock;

/** How a lock's name becomes a key and a channel. */
public enum KeyScheme {
    /** Keys {@code <prefix>:{name}}; the fencing token is kept with the lock. */
    HOLDFAST,
    /**
     * The keys, fields and channels of Redisson's {@code RLock}, so that both kinds of client exclude and wake each
     * other. The token is not stored with the lock, so {@link LockClient#inspect} cannot tell it.
     * The tokens of {@link LockClient#getFencedLock} have one order with those of Redisson's fenced locks.
     */
    REDISSON
}
