package io.holdfast.lock.tests.figures;

import java.util.Arrays;

/** Durations in nanoseconds, and how they are spread. Not thread-safe. */
final class Percentiles {

    private long[] nanos = new long[1_024];
    private int size;
    private boolean sorted;

    void add(long sampleNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = sampleNanos;
        sorted = false;
    }

    void addAll(Percentiles others) {
        for (int i = 0; i < others.size; i++) {
            add(others.nanos[i]);
        }
    }

    int size() {
        return size;
    }

    /** The smallest sample that at least this share of all does not exceed. */
    long percentile(double percent) {
        if (size == 0) {
            throw new IllegalStateException("no samples");
        }
        if (!sorted) {
            Arrays.sort(nanos, 0, size);
            sorted = true;
        }
        return nanos[Math.max(1, (int) Math.ceil(percent / 100 * size)) - 1];
    }
}
