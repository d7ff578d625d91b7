package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The hash slots of a cluster, seen from one of its nodes. */
final class ClusterSlots {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RawRedis node;

    ClusterSlots(RawRedis node) {
        this.node = node;
    }

    /** Gives the node all slots, unless it has them from an earlier start. */
    void takeAll() {
        if (!says("cluster_slots_assigned:" + HashSlot.COUNT)) {
            BitSet all = new BitSet(HashSlot.COUNT);
            all.set(0, HashSlot.COUNT);
            take(all);
        }
    }

    /** Gives the node slots that have no owner. */
    void take(BitSet slots) {
        // One by one: ranges are not known before 7.0.
        node.command(
                Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots.stream().mapToObj(String::valueOf))
                        .toArray(String[]::new));
    }

    /** Waits until the node serves its slots: after a start it holds back for two seconds. */
    void awaitServed(Duration limit) {
        long startNanos = System.nanoTime();
        while (!says("cluster_state:ok")) {
            if (System.nanoTime() - startNanos > limit.toNanos()) {
                throw new IllegalStateException("the cluster's slots are not served after " + limit.toMillis()
                        + " ms:\n" + node.text("CLUSTER", "INFO"));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean says(String line) {
        return String.valueOf(node.text("CLUSTER", "INFO")).lines().anyMatch(line::equals);
    }
}
