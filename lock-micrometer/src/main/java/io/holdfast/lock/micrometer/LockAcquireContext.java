package io.holdfast.lock.micrometer;

/** What is known of a call that wants a lock. */
public final class LockAcquireContext extends LockObservationContext {

    LockAcquireContext(String lockName) {
        super(lockName);
    }
}
