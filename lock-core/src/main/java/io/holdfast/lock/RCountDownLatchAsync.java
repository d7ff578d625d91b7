package io.holdfast.lock;

import java.util.concurrent.TimeUnit;

/**
 * The asynchronous twins of {@link RCountDownLatch}'s methods. Cancelling the future of an await ends it; what was asked for
 * otherwise goes on.
 */
public interface RCountDownLatchAsync {

    /** As {@link RCountDownLatch#trySetCount(long)}. */
    RFuture<Boolean> trySetCountAsync(long count);

    /** As {@link RCountDownLatch#countDown()}. */
    RFuture<Void> countDownAsync();

    /** As {@link RCountDownLatch#getCount()}. */
    RFuture<Long> getCountAsync();

    /** As {@link RCountDownLatch#await()}. */
    RFuture<Void> awaitAsync();

    /** As {@link RCountDownLatch#await(long, TimeUnit)}. */
    RFuture<Boolean> awaitAsync(long time, TimeUnit unit);

    /** As {@link RCountDownLatch#delete()}. */
    RFuture<Boolean> deleteAsync();
}
