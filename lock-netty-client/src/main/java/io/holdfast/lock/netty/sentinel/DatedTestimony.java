package io.holdfast.lock.netty.sentinel;

/**
 * What a Sentinel said, and when it was asked: what it knew was not older than that.
 *
 * @param sentNanos when the question was sent
 */
record DatedTestimony(Testimony said, long sentNanos) {

    boolean isAfter(DatedTestimony other) {
        return sentNanos - other.sentNanos > 0;
    }
}
