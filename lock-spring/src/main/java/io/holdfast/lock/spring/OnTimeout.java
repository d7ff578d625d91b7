package io.holdfast.lock.spring;

/** What a call of a {@link Locked} method does if the lock is not granted in time. It never runs the method. */
public enum OnTimeout {
    /** It throws {@link io.holdfast.lock.LockTimeoutException}. */
    THROW,
    /**
     * It gives back an empty value: an empty {@code Optional}, collection, map, stream, array or publisher, a stage that is
     * completed with null, else null. A return type without one is refused when the bean is made.
     */
    SKIP,
    /** It calls {@link Locked#fallback()} in place of the method. */
    FALLBACK
}
