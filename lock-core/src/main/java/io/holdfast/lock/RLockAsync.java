package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The asynchronous twins of {@link RLock}'s methods. None of them blocks.
 *
 * <p>The owner of a call is the calling thread, or the thread whose id is given: the future may be completed, and the
 * lock released, from any thread that names the same id. Code that has no thread to speak of is better served by
 * {@link #acquireAsync()}, whose hold is its own owner.
 */
public interface RLockAsync {

    /** Takes the lock, waiting as long as it takes; renewed by the watchdog. */
    RFuture<Void> lockAsync();

    RFuture<Void> lockAsync(long threadId);

    /** Takes the lock for a fixed lease, waiting as long as it takes. */
    RFuture<Void> lockAsync(long leaseTime, TimeUnit unit);

    RFuture<Void> lockAsync(long leaseTime, TimeUnit unit, long threadId);

    /** Takes the lock if it is free now. */
    RFuture<Boolean> tryLockAsync();

    RFuture<Boolean> tryLockAsync(long threadId);

    /** Takes the lock if it becomes free within the wait; renewed by the watchdog. */
    RFuture<Boolean> tryLockAsync(long waitTime, TimeUnit unit);

    /** Takes the lock for a fixed lease if it becomes free within the wait. */
    RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit);

    RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId);

    /** Releases the lock once. Ends as {@link RLock#unlock} does, and as soon. */
    RFuture<Void> unlockAsync();

    RFuture<Void> unlockAsync(long threadId);

    /** Frees the lock, whichever owner holds it. */
    RFuture<Boolean> forceUnlockAsync();

    /** True if any owner holds the lock. */
    RFuture<Boolean> isLockedAsync();

    /** True if the given thread of this client holds the lock. */
    RFuture<Boolean> isHeldByThreadAsync(long threadId);

    /** How many times the calling thread holds the lock. */
    RFuture<Integer> getHoldCountAsync();

    RFuture<Integer> getHoldCountAsync(long threadId);

    /** Milliseconds until the lease runs out; -2 if no owner holds the lock, -1 if it has no lease. */
    RFuture<Long> remainTimeToLiveAsync();

    /** Takes the lock as a hold of its own, waiting as long as it takes. */
    RFuture<LockHold> acquireAsync();

    /** Takes the lock as a hold of its own if it is free now. */
    RFuture<Optional<LockHold>> tryAcquireAsync();

    /** Takes the lock as a hold of its own if it becomes free within the wait. */
    RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait);

    /** As {@link #tryAcquireAsync(Duration)}, for a fixed lease that is not renewed. */
    RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait, Duration lease);

    /** The owners that hold the lock, since when, and how many calls wait. */
    RFuture<LockInfo> inspectAsync();
}
