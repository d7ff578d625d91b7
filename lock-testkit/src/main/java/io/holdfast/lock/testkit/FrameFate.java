package io.holdfast.lock.testkit;

import java.time.Duration;

/**
 * What becomes of one message.
 *
 * @param kind what is done
 * @param delayNanos how much later it arrives, and all behind it
 * @param bytes how much of it arrives before the connection ends
 */
public record FrameFate(Kind kind, long delayNanos, int bytes) {
    /** It goes on its way. */
    public static final FrameFate PASS = new FrameFate(Kind.PASS, 0, 0);

    /**
     * It alone is lost. Right for a pushed message; the loss of a single request or reply is nothing that a network
     * does, and moves every later reply of the connection to the request before its own.
     */
    public static final FrameFate DROP = new FrameFate(Kind.DROP, 0, 0);

    /** It and all that follows in its direction on this connection is lost, as when the network dies at this moment. */
    public static final FrameFate SWALLOW = new FrameFate(Kind.SWALLOW, 0, 0);

    /**
     * A request arrives twice, one copy right behind the other, and only the first reply comes back: the server does it
     * twice, and the client is not told. On a connection with subscriptions replies can't be told apart, so don't. A pushed
     * message or a reply just comes twice.
     */
    public static final FrameFate TWICE = new FrameFate(Kind.TWICE, 0, 0);

    /** What can be done. */
    enum Kind {
        PASS,
        DROP,
        SWALLOW,
        TWICE,
        CUT
    }

    /** It arrives later, and all behind it waits. */
    public static FrameFate delayed(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: >= 0)");
        }
        return new FrameFate(Kind.PASS, delay.toNanos(), 0);
    }

    /** Only so many of its bytes arrive, then the connection ends on both sides. */
    public static FrameFate cutAfter(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        return new FrameFate(Kind.CUT, 0, bytes);
    }
}
