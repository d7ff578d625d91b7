package io.holdfast.lock.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that confirm: the parts of {@link io.holdfast.lock.ReplicaWait}, each by its name.
 *
 * @param replicas how many have to confirm a lock
 * @param timeout how long they have for that
 * @param onDisk whether the lock has to be on their disks, and on the primary's
 */
record ReplicasProperties(@Nullable Integer replicas, @Nullable Duration timeout, @Nullable Boolean onDisk) {

    void write(OptionWriter texts) {
        texts.add(
                "waitForReplicas",
                (replicas == null ? "?" : replicas) + " within " + (timeout == null ? "?" : timeout)
                        + (Boolean.TRUE.equals(onDisk) ? " on disk" : ""));
    }
}
