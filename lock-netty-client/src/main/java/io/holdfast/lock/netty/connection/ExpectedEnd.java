package io.holdfast.lock.netty.connection;

import java.util.concurrent.TimeUnit;

/**
 * Tells ends of connections that are no incident: clouds cut a connection whose credentials are over, and every one after
 * some hours (ADR 34).
 */
final class ExpectedEnd {

    private static final long LONG_LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Bounds a server that takes credentials, and then cuts the connection because of them. */
    private static final long SHORT_LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private ExpectedEnd() {}

    /**
     * Whether a server may end a connection like this with nothing wrong.
     *
     * @param readyForNanos how long the connection has lived
     * @param isLikely whether its credentials were due to be renewed and were not, or the server may have been replaced
     */
    static boolean isOne(long readyForNanos, boolean isLikely) {
        return readyForNanos >= (isLikely ? SHORT_LIFE_NANOS : LONG_LIFE_NANOS);
    }
}
