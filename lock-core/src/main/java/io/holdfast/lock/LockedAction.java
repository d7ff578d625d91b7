package io.holdfast.lock;

/** Work to do while a lock is held. */
@FunctionalInterface
public interface LockedAction<X extends Exception> {

    void run(LockHold hold) throws X;
}
