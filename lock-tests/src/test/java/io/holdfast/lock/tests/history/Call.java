package io.holdfast.lock.tests.history;

/** What was asked of a lock, or happened to it. */
public enum Call {
    /** Taking the lock, or taking it once more. */
    ACQUIRE,
    /** Giving it back once. */
    RELEASE,
    /** Making a hold last longer, or noticing that it does because somebody has renewed it. */
    EXTEND,
    /** Not a call of an owner: the store may have forgotten who holds the lock, by a crash, an eviction or by force. */
    FORGET
}
