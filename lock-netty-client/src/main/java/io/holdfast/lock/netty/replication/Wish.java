package io.holdfast.lock.netty.replication;

import java.util.concurrent.TimeUnit;

/**
 * What a client wants of replicas.
 *
 * @param key what it may write, so that there is something to wait for
 * @param replicas how many have to confirm
 * @param timeoutNanos how long they have
 */
record Wish(String key, int replicas, long timeoutNanos) {

    /** Long enough that the key is there for as long as its client asks, and gone soon after. */
    private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(2);

    /** WAIT takes 0 for ever, and knows nothing shorter than a millisecond. */
    long timeoutMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
    }

    long keptMillis() {
        return KEPT_MILLIS;
    }

    String tooFewConfirmed(int confirmed) {
        return confirmed + " of " + replicas + (replicas == 1 ? " replica" : " replicas") + " confirmed within "
                + timeoutMillis() + " ms";
    }

    String tooFewConnected(int connected) {
        return connected + " of " + replicas + (replicas == 1 ? " replica is" : " replicas are")
                + " connected and in step (expected: " + replicas + " or more, or fewer in waitForReplicas)";
    }
}
