package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.benchmarks.result.Verdict;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The results for machines: every round of every peer, ratios, verdicts, percentiles. */
public final class JsonReport {

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99, 100};

    private final RunResult run;

    public JsonReport(RunResult run) {
        this.run = run;
    }

    @Override
    public String toString() {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("environment", run.environment().facts());
        root.put("workloads", run.workloads().stream().map(JsonReport::workload).toList());
        root.put("goals", run.verdicts().stream().map(JsonReport::verdict).toList());
        return Json.write(root) + "\n";
    }

    private static Map<String, Object> workload(WorkloadResult result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", result.about().name());
        object.put("title", result.about().title());
        object.put("family", result.about().family());
        Map<String, Object> peers = new LinkedHashMap<>();
        for (PeerKind peer : result.peers()) {
            peers.put(peer.id(), peer(result, peer));
        }
        object.put("peers", peers);
        return object;
    }

    private static Map<String, Object> peer(WorkloadResult result, PeerKind peer) {
        Map<String, Object> object = new LinkedHashMap<>();
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (Metric metric : Metric.values()) {
            List<Object> rounds = new ArrayList<>();
            for (Sample sample : result.samples(peer)) {
                sample.value(metric).ifPresent(rounds::add);
            }
            if (!rounds.isEmpty()) {
                figures.put(name(metric), rounds);
            }
            if (peer != PeerKind.HOLDFAST) {
                result.ratio(PeerKind.HOLDFAST, peer, metric)
                        .ifPresent(ratio -> ratios.put(
                                name(metric),
                                Map.of("median", ratio.median(), "least", ratio.least(), "most", ratio.most())));
            }
        }
        object.put("rounds", figures);
        object.put("holdfastTo", ratios);
        Histogram latency = result.latency(peer);
        if (latency.getTotalCount() > 0) {
            Map<String, Object> percentiles = new LinkedHashMap<>();
            for (double percentile : PERCENTILES) {
                percentiles.put(
                        Double.toString(percentile), latency.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
            }
            object.put("latencyMicros", percentiles);
        }
        long[] served = result.served(peer);
        if (served.length > 1) {
            object.put("served", Arrays.stream(served).boxed().toList());
        }
        return object;
    }

    private static Map<String, Object> verdict(Verdict verdict) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("workload", verdict.goal().workload());
        object.put("metric", name(verdict.goal().metric()));
        verdict.against().ifPresent(peer -> object.put("against", peer.id()));
        object.put(
                "bound",
                verdict.goal().bound().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
        object.put("limit", verdict.goal().limit());
        object.put("median", verdict.measured().median());
        object.put("least", verdict.measured().least());
        object.put("most", verdict.measured().most());
        object.put("met", verdict.isMet());
        return object;
    }

    private static String name(Metric metric) {
        return metric.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
