package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.step.Outcome;
import java.util.concurrent.TimeUnit;

/**
 * How long a client takes to come when it is called: the round trip of its requests for locks (rule 125). Known from all of its locks. One
 * request that takes longer, because a thread or a server stood still, does not make it far.
 *
 * <p>Used by any thread. An update that is lost is made up for by the next one.
 */
public final class Distance {

    /** A message and a request of a client that is nearer take less than the time for which a lock is reserved for it. */
    private static final long FAR_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long FIRST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(16);
    private static final int MOST_STEPS = 6;

    private volatile long roundTripNanos;

    /** A request has ended after this time. One that failed says nothing of the distance. */
    void answered(Outcome outcome, long nanos) {
        if (!(outcome instanceof Outcome.Failed)) {
            roundTripNanos = Math.min(nanos, Math.max(FAR_NANOS - 1, 2 * roundTripNanos));
        }
    }

    /**
     * In steps: 0 if a message makes the client ask in time; 1 for up to 16 ms, and one more for each doubling of that.
     *
     * @param isDeaf whether no message arrives: then it is far at any distance
     */
    int steps(boolean isDeaf) {
        long nanos = roundTripNanos;
        if (nanos < FAR_NANOS) {
            return isDeaf ? 1 : 0;
        }
        int steps = 1;
        while (steps < MOST_STEPS && nanos > FIRST_STEP_NANOS << (steps - 1)) {
            steps++;
        }
        return steps;
    }
}
