package io.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous twins of {@link RPermitExpirableSemaphore}'s methods. Cancelling the future of an acquisition ends it, and gives
 * back what it took; what was asked for otherwise goes on.
 */
public interface RPermitExpirableSemaphoreAsync {

    /** As {@link RPermitExpirableSemaphore#acquire()}. */
    RFuture<String> acquireAsync();

    /** As {@link RPermitExpirableSemaphore#acquire(long, TimeUnit)}. */
    RFuture<String> acquireAsync(long leaseTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#acquire(int)}. */
    RFuture<List<String>> acquireAsync(int permits);

    /** As {@link RPermitExpirableSemaphore#acquire(int, long, TimeUnit)}. */
    RFuture<List<String>> acquireAsync(int permits, long leaseTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#tryAcquire()}. */
    RFuture<@Nullable String> tryAcquireAsync();

    /** As {@link RPermitExpirableSemaphore#tryAcquire(int)}. */
    RFuture<List<String>> tryAcquireAsync(int permits);

    /** As {@link RPermitExpirableSemaphore#tryAcquire(long, TimeUnit)}. */
    RFuture<@Nullable String> tryAcquireAsync(long waitTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#tryAcquire(long, long, TimeUnit)}. */
    RFuture<@Nullable String> tryAcquireAsync(long waitTime, long leaseTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#tryAcquire(int, long, long, TimeUnit)}. */
    RFuture<List<String>> tryAcquireAsync(int permits, long waitTime, long leaseTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#acquireHold()}. */
    RFuture<LockHold> acquireHoldAsync();

    /** As {@link RPermitExpirableSemaphore#tryAcquireHold(Duration)}. */
    RFuture<Optional<LockHold>> tryAcquireHoldAsync(Duration wait);

    /** As {@link RPermitExpirableSemaphore#tryAcquireHold(Duration, Duration)}. */
    RFuture<Optional<LockHold>> tryAcquireHoldAsync(Duration wait, Duration lease);

    /** As {@link RPermitExpirableSemaphore#tryAcquireHolds(int, Duration, Duration)}. */
    RFuture<List<LockHold>> tryAcquireHoldsAsync(int permits, Duration wait, Duration lease);

    /** As {@link RPermitExpirableSemaphore#release(String)}. */
    RFuture<Void> releaseAsync(String permitId);

    /** As {@link RPermitExpirableSemaphore#release(List)}. */
    RFuture<Void> releaseAsync(List<String> permitIds);

    /** As {@link RPermitExpirableSemaphore#tryRelease(String)}. */
    RFuture<Boolean> tryReleaseAsync(String permitId);

    /** As {@link RPermitExpirableSemaphore#updateLeaseTime(String, long, TimeUnit)}. */
    RFuture<Boolean> updateLeaseTimeAsync(String permitId, long leaseTime, TimeUnit unit);

    /** As {@link RPermitExpirableSemaphore#availablePermits()}. */
    RFuture<Integer> availablePermitsAsync();

    /** As {@link RPermitExpirableSemaphore#acquiredPermits()}. */
    RFuture<Integer> acquiredPermitsAsync();

    /** As {@link RPermitExpirableSemaphore#getPermits()}. */
    RFuture<Integer> getPermitsAsync();

    /** As {@link RPermitExpirableSemaphore#trySetPermits(int)}. */
    RFuture<Boolean> trySetPermitsAsync(int permits);

    /** As {@link RPermitExpirableSemaphore#setPermits(int)}. */
    RFuture<Void> setPermitsAsync(int permits);

    /** As {@link RPermitExpirableSemaphore#addPermits(int)}. */
    RFuture<Void> addPermitsAsync(int permits);
}
