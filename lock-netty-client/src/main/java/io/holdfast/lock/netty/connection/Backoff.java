package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Runtime;

/**
 * How long to wait before connecting again: twice as long after every failure, and never the same for all clients.
 *
 * <p>Thousands of clients lose their connection in the same instant when a server restarts. The random half of each
 * delay keeps them from coming back in the same instant as well.
 */
final class Backoff {

    private final Runtime runtime;
    private final long minNanos;
    private final long maxNanos;
    private long delayNanos;

    Backoff(Runtime runtime, long minNanos, long maxNanos) {
        this.runtime = runtime;
        this.minNanos = minNanos;
        this.maxNanos = maxNanos;
    }

    /** The delay before the next attempt. */
    long next() {
        delayNanos = delayNanos == 0 ? minNanos : Math.min(maxNanos, 2 * delayNanos);
        return jittered(delayNanos);
    }

    /** The delay where trying sooner can't help: the longest. */
    long longest() {
        delayNanos = maxNanos;
        return jittered(maxNanos);
    }

    /** Delays are short again: there is reason to believe that the next attempt succeeds. */
    void startAnew() {
        delayNanos = 0;
    }

    /** A connection lived this long. One that outlived the last delay was a success, and delays start small again. */
    void connectionLived(long lifeNanos) {
        if (lifeNanos > delayNanos) {
            delayNanos = 0;
        }
    }

    private long jittered(long nanos) {
        return nanos / 2 + runtime.random(nanos / 2 + 1);
    }
}
