package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import java.time.Duration;

/**
 * How many replicas have to confirm a lock before it counts, and how long they have for that. What it gives, and what not:
 * {@link ClientOptions.Builder#waitForReplicas}.
 *
 * @param replicas how many, from 1 to 100
 * @param timeout from 1 ms to 1 min
 */
public record ReplicaWait(int replicas, Duration timeout) {

    private static final int MOST_REPLICAS = 100;

    public ReplicaWait {
        Options.between(1, MOST_REPLICAS, "waitForReplicas", replicas);
        Options.between(Duration.ofMillis(1), Duration.ofMinutes(1), "waitForReplicas", timeout);
    }

    /** As its text form: {@code 1 within 100 ms}. */
    @Override
    public String toString() {
        return replicas + " within " + Durations.of(timeout);
    }
}
