package io.holdfast.lock.spring;

/** What a call of a {@link Locked} method does if the lock can't be asked for: no connection, no answer, a refusal by the server. */
public enum OnUnavailable {
    /** It throws what {@link io.holdfast.lock.RLock} would throw. */
    THROW,
    /** It calls {@link Locked#fallback()} in place of the method. */
    FALLBACK
}
