package io.holdfast.lock.examples.console;

import java.util.Arrays;

/** Durations in nanoseconds, and their percentiles. Not thread-safe: each thread has its own, then they are added. */
public final class Samples {

    private long[] nanos = new long[64];
    private int size;
    private boolean sorted = true;

    public void add(long sampleNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = sampleNanos;
        sorted = false;
    }

    public void addAll(Samples others) {
        for (int index = 0; index < others.size; index++) {
            add(others.nanos[index]);
        }
    }

    public int size() {
        return size;
    }

    public long get(int index) {
        return nanos[index];
    }

    /** The smallest sample that at least this share of all samples does not exceed; 0 if there are none. */
    public long percentile(double percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent: " + percent + " (expected: 0 to 100)");
        }
        if (size == 0) {
            return 0;
        }
        if (!sorted) {
            Arrays.sort(nanos, 0, size);
            sorted = true;
        }
        int rank = (int) Math.ceil(percent / 100 * size);
        return nanos[Math.max(rank, 1) - 1];
    }

    public long max() {
        return percentile(100);
    }
}
