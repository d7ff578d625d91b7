package io.holdfast.lock.micrometer;

/** What is known of a hold. */
public final class LockHoldContext extends LockObservationContext {

    LockHoldContext(String lockName) {
        super(lockName);
    }
}
