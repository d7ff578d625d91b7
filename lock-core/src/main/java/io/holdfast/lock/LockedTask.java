package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/** Work to do while a lock is held, with a result. */
@FunctionalInterface
public interface LockedTask<T extends @Nullable Object, X extends Exception> {

    T call(LockHold hold) throws X;
}
