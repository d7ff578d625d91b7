package io.holdfast.lock.examples.election;

/**
 * One term as the observer saw it; times since the start.
 *
 * @param process the candidate's number
 * @param killed whether its process was killed, and has not resigned
 */
record Reign(int process, long term, long fromNanos, long untilNanos, boolean killed) {

    static final long STILL = Long.MAX_VALUE;

    Reign until(long nanos) {
        return new Reign(process, term, fromNanos, nanos, killed);
    }

    Reign cutShort(long nanos) {
        return new Reign(process, term, fromNanos, nanos, true);
    }

    boolean isOver() {
        return untilNanos != STILL;
    }

    boolean covers(long nanos) {
        return fromNanos <= nanos && nanos < untilNanos;
    }
}
