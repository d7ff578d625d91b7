package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a watched hold keeps of the heap: the same objects in every run, so that this too is free of noise once a
 * collection has taken away the rest. Collections are repeated until one finds it below the bound.
 */
@Tag("proof")
@Tag("once")
class HeapPerHoldTest {

    /** Lower it when less is reached; never raise it. */
    private static final double MOST_BYTES = 440;

    private static final int HOLDS = 50_000;
    private static final int MOST_COLLECTIONS = 10;

    @Test
    void isBounded() {
        try (LockClient client = EngineClient.over(
                new InstantBackend(), ClientOptions.defaults(), "01234567-89ab-cdef-0123-456789abcdef")) {
            lock(client, 0, 1_000);
            long before = leastInUse(0);
            lock(client, 1_000, 1_000 + HOLDS);
            double each = (double) (leastInUse(before + (long) (MOST_BYTES * HOLDS)) - before) / HOLDS;

            assertThat(each).isBetween(100.0, MOST_BYTES);
        }
    }

    private static void lock(LockClient client, int from, int to) {
        for (int number = from; number < to; number++) {
            client.getLock("watched:" + number)
                    .lockAsync(1)
                    .toCompletableFuture()
                    .join();
        }
    }

    /** The least that is in use after a few collections, or the first that is little enough. */
    private static long leastInUse(long enough) {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_COLLECTIONS && least > enough; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
