package io.holdfast.lock.benchmarks.result;

import static io.holdfast.lock.benchmarks.peer.PeerKind.ASKING;
import static io.holdfast.lock.benchmarks.peer.PeerKind.LETTUCE;
import static io.holdfast.lock.benchmarks.peer.PeerKind.METERS;
import static io.holdfast.lock.benchmarks.peer.PeerKind.PIPELINE;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDISSON;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDIS_BENCHMARK;
import static io.holdfast.lock.benchmarks.peer.PeerKind.SOCKET;
import static io.holdfast.lock.benchmarks.peer.PeerKind.SPANS;
import static io.holdfast.lock.benchmarks.result.Goal.atLeast;
import static io.holdfast.lock.benchmarks.result.Goal.atMost;

import java.util.ArrayList;
import java.util.List;

/** The goals: ratios within one run on a machine of two cores. */
public final class Goals {

    /** What one lock and unlock may allocate in steady state. */
    public static final double ALLOCATED_BYTES = 1024;

    private Goals() {}

    public static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        for (String uncontended : List.of("uncontended-lease", "uncontended-watchdog")) {
            goals.add(atLeast(3, uncontended, Metric.THROUGHPUT, REDISSON));
            goals.add(atMost(1.5, uncontended, Metric.MEDIAN, SOCKET));
            goals.add(atMost(ALLOCATED_BYTES, uncontended, Metric.ALLOCATED));
        }
        // At least 0.95 and 0.9 of the throughput without: the other way round, since goals are Holdfast's to its
        // peers.
        goals.add(atMost(1 / 0.95, "uncontended-metered", Metric.THROUGHPUT, METERS));
        goals.add(atMost(1 / 0.9, "uncontended-metered", Metric.THROUGHPUT, SPANS));
        goals.add(atLeast(2.5, "own-locks-16", Metric.THROUGHPUT, REDISSON));
        goals.add(atLeast(1.3, "own-locks-16", Metric.THROUGHPUT, LETTUCE));
        for (String contended : List.of("same-lock-2", "same-lock-16", "same-lock-64")) {
            goals.add(atLeast(7, contended, Metric.THROUGHPUT, REDISSON));
            goals.add(atMost(0.05, contended, Metric.P99, REDISSON));
            goals.add(atLeast(0.9, contended, Metric.FAIRNESS));
        }
        goals.add(atLeast(4, "same-lock-16", Metric.THROUGHPUT, ASKING));
        goals.add(atLeast(6, "same-lock-clients", Metric.THROUGHPUT, REDISSON));
        goals.add(atMost(0.2, "same-lock-clients", Metric.P99, REDISSON));
        goals.add(atLeast(0.7, "same-lock-clients", Metric.FAIRNESS));
        goals.add(atLeast(30, "delay-500us-same-lock", Metric.THROUGHPUT, REDISSON));
        goals.add(atMost(1, "delay-2000us-uncontended", Metric.CLIENT_CPU, REDISSON));
        for (String fair : List.of("fair-16", "fair-clients")) {
            goals.add(atLeast(4, fair, Metric.THROUGHPUT, REDISSON));
            goals.add(atMost(0.2, fair, Metric.P99, REDISSON));
        }
        goals.add(atLeast(3, "read-write", Metric.THROUGHPUT, REDISSON));
        for (String permits : List.of("permits-32", "permits-clients")) {
            goals.add(atLeast(3, permits, Metric.THROUGHPUT, REDISSON));
        }
        for (String quorum : List.of("redlock-5-clients-4", "redlock-5-clients-8")) {
            goals.add(atLeast(2, quorum, Metric.THROUGHPUT, REDISSON));
            goals.add(atMost(0.5, quorum, Metric.P99, REDISSON));
            goals.add(atLeast(0.5, quorum, Metric.FAIRNESS));
        }
        goals.add(atLeast(4, "async", Metric.THROUGHPUT, REDISSON));
        goals.add(atLeast(1.4, "async", Metric.THROUGHPUT, LETTUCE));
        goals.add(atLeast(0.6, "async", Metric.THROUGHPUT, REDIS_BENCHMARK, PIPELINE));
        goals.add(atLeast(2, "refused", Metric.THROUGHPUT, REDISSON));
        goals.add(atMost(0.5, "watched-100000", Metric.HEAP, REDISSON));
        goals.add(atMost(0.5, "watched-100000", Metric.RENEWAL_CPU, REDISSON));
        goals.add(atMost(0, "watched-100000", Metric.MISSED));
        goals.add(atMost(2, "watched-100000", Metric.STALL));
        goals.add(atMost(1.0 / 3, "start-up", Metric.START, REDISSON));
        return List.copyOf(goals);
    }

    /** The goals that can be judged by what was measured. */
    public static List<Verdict> judge(List<WorkloadResult> results) {
        return all().stream().flatMap(goal -> goal.judge(results).stream()).toList();
    }
}
