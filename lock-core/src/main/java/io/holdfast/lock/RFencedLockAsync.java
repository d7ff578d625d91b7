package io.holdfast.lock;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The asynchronous twins of {@link RFencedLock}'s methods. Their owner is the calling thread. */
public interface RFencedLockAsync extends RLockAsync {

    /** The fencing token of the calling thread's hold; fails as {@link RFencedLock#getToken()} does. */
    RFuture<Long> getTokenAsync();

    /** Takes the lock, waiting as long as it takes; renewed by the watchdog. */
    RFuture<Long> lockAndGetTokenAsync();

    /** Takes the lock for a fixed lease, waiting as long as it takes. */
    RFuture<Long> lockAndGetTokenAsync(long leaseTime, TimeUnit unit);

    /** Takes the lock if it is free now; the result is null if it is not. */
    RFuture<@Nullable Long> tryLockAndGetTokenAsync();

    /** Takes the lock if it becomes free within the wait, else the result is null; renewed by the watchdog. */
    RFuture<@Nullable Long> tryLockAndGetTokenAsync(long waitTime, TimeUnit unit);

    /** Takes the lock for a fixed lease if it becomes free within the wait, else the result is null. */
    RFuture<@Nullable Long> tryLockAndGetTokenAsync(long waitTime, long leaseTime, TimeUnit unit);
}
