package io.holdfast.lock.benchmarks.workload;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, all of one shape, so that they can be added. */
final class Histograms {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(100);
    private static final int DIGITS = 3;

    private Histograms() {}

    static Histogram create() {
        return new Histogram(100, LONGEST_NANOS, DIGITS);
    }

    static void record(AbstractHistogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
    }
}
