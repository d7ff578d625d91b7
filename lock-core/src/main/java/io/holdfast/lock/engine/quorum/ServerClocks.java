package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.key.Store;
import java.util.Arrays;
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

    /** What most nodes would call this moment, in microseconds; 0 before any was heard. Clients that hear the same nodes agree on it. */
    long micros(long nanos) {
        long[] known = new long[offsetsMicros.length()];
        int count = 0;
        for (int i = 0; i < known.length; i++) {
            long offset = offsetsMicros.get(i);
            if (offset != UNKNOWN) {
                known[count++] = offset;
            }
        }
        Arrays.sort(known, 0, count);
        return count == 0 ? 0 : known[(count - 1) / 2] + TimeUnit.NANOSECONDS.toMicros(nanos);
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
