package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock that answers with its fencing token: an {@link RLock} with the methods of Redisson's lock of this name. It is the
 * lock of its name, and excludes those who take it by {@link LockClient#getLock}.
 *
 * <p>With {@link KeyScheme#REDISSON} its tokens are numbers of the counter that Redisson's fenced locks have, so that the
 * holders of both kinds have one order. They are not consecutive, and a re-entry keeps the token of its hold.
 *
 * <p>An interrupt does not end the wait of a method that cannot throw {@link InterruptedException}; the flag is kept.
 */
public interface RFencedLock extends RLock, RFencedLockAsync {

    @Override
    RFencedLock withLease(Duration lease);

    /**
     * The fencing token of the calling thread's hold, as {@link #getFencingToken()} tells it.
     *
     * @throws LockLostException if the calling thread has lost its hold
     * @throws LockNotHeldException if it has none
     */
    Long getToken();

    /** Takes the lock as {@link #lock()} does. */
    Long lockAndGetToken();

    /** Takes the lock as {@link #lock(long, TimeUnit)} does. */
    Long lockAndGetToken(long leaseTime, TimeUnit unit);

    /** Takes the lock if it is free now; null if it is not. */
    @Nullable
    Long tryLockAndGetToken();

    /** Takes the lock if it becomes free within the wait, else returns null; renewed by the watchdog. */
    @Nullable
    Long tryLockAndGetToken(long waitTime, TimeUnit unit);

    /** Takes the lock for a fixed lease if it becomes free within the wait, else returns null. */
    @Nullable
    Long tryLockAndGetToken(long waitTime, long leaseTime, TimeUnit unit);
}
