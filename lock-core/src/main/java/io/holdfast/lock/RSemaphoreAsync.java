package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The asynchronous twins of {@link RSemaphore}'s methods. Cancelling the future of an acquisition ends it, and gives back what it
 * took; what was asked for otherwise goes on. Permits of an asynchronous call belong to no thread: any thread that has none of its own
 * releases them.
 */
public interface RSemaphoreAsync {

    /** As {@link RSemaphore#acquire()}. */
    RFuture<Void> acquireAsync();

    /** As {@link RSemaphore#acquire(int)}. */
    RFuture<Void> acquireAsync(int permits);

    /** As {@link RSemaphore#tryAcquire()}. */
    RFuture<Boolean> tryAcquireAsync();

    /** As {@link RSemaphore#tryAcquire(int)}. */
    RFuture<Boolean> tryAcquireAsync(int permits);

    /** As {@link RSemaphore#tryAcquire(Duration)}. */
    RFuture<Boolean> tryAcquireAsync(Duration wait);

    /** As {@link RSemaphore#tryAcquire(int, Duration)}. */
    RFuture<Boolean> tryAcquireAsync(int permits, Duration wait);

    /** As {@link RSemaphore#tryAcquire(long, TimeUnit)}. */
    RFuture<Boolean> tryAcquireAsync(long waitTime, TimeUnit unit);

    /** As {@link RSemaphore#tryAcquire(int, long, TimeUnit)}. */
    RFuture<Boolean> tryAcquireAsync(int permits, long waitTime, TimeUnit unit);

    /** As {@link RSemaphore#release()}. */
    RFuture<Void> releaseAsync();

    /** As {@link RSemaphore#release(int)}. */
    RFuture<Void> releaseAsync(int permits);

    /** As {@link RSemaphore#drainPermits()}. */
    RFuture<Integer> drainPermitsAsync();

    /** As {@link RSemaphore#availablePermits()}. */
    RFuture<Integer> availablePermitsAsync();

    /** As {@link RSemaphore#trySetPermits(int)}. */
    RFuture<Boolean> trySetPermitsAsync(int permits);

    /** As {@link RSemaphore#setPermits(int)}. */
    RFuture<Void> setPermitsAsync(int permits);

    /** As {@link RSemaphore#addPermits(int)}. */
    RFuture<Void> addPermitsAsync(int permits);
}
