package io.holdfast.lock.tests.simulation;

import java.util.List;
import java.util.stream.LongStream;

/**
 * One number for all that happens in many seeds of a workload. It is the same before and after a change that only moves
 * code, so it shows that nothing else has changed.
 */
final class TraceDigest {

    private final Workload workload;
    private final long from;
    private final long count;

    TraceDigest(Workload workload, long from, long count) {
        this.workload = workload;
        this.from = from;
        this.count = count;
    }

    /** Runs all seeds, several at a time; the order in which they end makes no difference. */
    long compute() {
        return LongStream.range(from, from + count).parallel().map(this::ofSeed).sum();
    }

    private long ofSeed(long seed) {
        return Chance.mix(Simulation.run(workload, seed, null).eventHash() ^ Chance.mix(seed));
    }

    static void print(List<Workload> workloads, long from, long count) {
        for (Workload workload : workloads) {
            long digest = new TraceDigest(workload, from, count).compute();
            System.out.printf("%-20s %,d seeds from %d  %016x%n", workload.title(), count, from, digest);
        }
    }
}
