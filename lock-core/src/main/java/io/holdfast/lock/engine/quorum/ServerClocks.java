package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.key.Store;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The nodes' wall clocks, as far as their answers tell, each as its distance from this JVM's monotonic clock. They serve
 * to propose tokens, and to judge how long a node has been up.
 */
final class ServerClocks {

    /** Far enough ahead that clocks which nearly agree accept each other's proposals. */
    private static final long LEAD_MICROS = TimeUnit.SECONDS.toMicros(1);

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final AtomicLongArray offsetsMicros;

    ServerClocks(int nodes) {
        this.offsetsMicros = new AtomicLongArray(nodes);
        for (int i = 0; i < nodes; i++) {
            offsetsMicros.set(i, UNKNOWN);
        }
    }

    /** A node has told its time. */
    void heard(Store store, long serverMicros, long nowNanos) {
        offsetsMicros.set(store.index(), serverMicros - TimeUnit.NANOSECONDS.toMicros(nowNanos));
    }

    /** A token ahead of every node's clock, so that all can take the same one (rule 35); 0 before any was heard. */
    long proposal(long nowNanos) {
        long highest = UNKNOWN;
        for (int i = 0; i < offsetsMicros.length(); i++) {
            highest = Math.max(highest, offsetsMicros.get(i));
        }
        return highest == UNKNOWN ? 0 : highest + TimeUnit.NANOSECONDS.toMicros(nowNanos) + LEAD_MICROS;
    }

    /** How far apart the clocks are. */
    long differenceNanos() {
        long lowest = Long.MAX_VALUE;
        long highest = UNKNOWN;
        for (int i = 0; i < offsetsMicros.length(); i++) {
            long offset = offsetsMicros.get(i);
            if (offset != UNKNOWN) {
                lowest = Math.min(lowest, offset);
                highest = Math.max(highest, offset);
            }
        }
        return highest == UNKNOWN ? 0 : TimeUnit.MICROSECONDS.toNanos(highest - lowest);
    }
}
