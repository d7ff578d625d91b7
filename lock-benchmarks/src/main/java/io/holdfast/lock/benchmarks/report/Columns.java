package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.List;

/** What a table shows of a workload beside the figure that tells most about it. */
final class Columns {

    private static final List<Metric> ALL = List.of(
            Metric.THROUGHPUT,
            Metric.ROUND_TRIP,
            Metric.START,
            Metric.PROCESS_START,
            Metric.THREADS,
            Metric.HEAP,
            Metric.RENEWAL_CPU,
            Metric.RENEWAL_COMMANDS,
            Metric.MISSED,
            Metric.STALL,
            Metric.MEDIAN,
            Metric.P99,
            Metric.WORST,
            Metric.FAIRNESS,
            Metric.OVERTAKEN,
            Metric.WRITER_WAIT,
            Metric.CLIENT_CPU,
            Metric.ALLOCATED,
            Metric.COMMANDS);

    private Columns() {}

    /** Those that somebody has a figure for. */
    static List<Metric> of(WorkloadResult result) {
        return ALL.stream()
                .filter(metric -> metric != result.about().figures())
                .filter(metric -> result.peers().stream()
                        .anyMatch(peer -> result.spread(peer, metric).isPresent()))
                .toList();
    }
}
