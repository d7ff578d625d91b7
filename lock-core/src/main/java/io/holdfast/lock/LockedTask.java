package io.holdfast.lock;

/** Work to do while a lock is held, with a result. */
@FunctionalInterface
public interface LockedTask<T, X extends Exception> {

    T run(LockHold hold) throws X;
}
