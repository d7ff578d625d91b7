package io.holdfast.lock.benchmarks.result;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Results that were never measured: made up, so that it is known what must come out. */
public final class Made {

    private static final int ROUNDS = 3;

    private Made() {}

    /** A workload in which the peers had these values, one for each round. */
    public static WorkloadResult result(String name, Metric metric, Map<PeerKind, List<Double>> values) {
        WorkloadResult result = new WorkloadResult(About.of(name, "title of " + name, "explanation", metric));
        values.forEach((peer, rounds) -> rounds.forEach(value -> result.add(peer, Sample.of(Map.of(metric, value)))));
        return result;
    }

    /** A run with everything that a report can show. */
    public static RunResult everything() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", "2026-01-01");
        facts.put("processor", "two <fast> cores & more");
        List<WorkloadResult> results = new ArrayList<>();
        List<PeerKind> two = List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
        results.add(contended("uncontended-lease", List.of(PeerKind.values()), 1));
        results.add(contended("same-lock-16", two, 16));
        results.add(contended("same-lock-clients", two, 16));
        results.add(contended("at-rate-same-lock", two, 16));
        results.add(contended("delay-500us-uncontended", two, 1));
        results.add(contended("redlock-3", two, 1));
        results.add(contended("async", two, 1));
        for (int threads : new int[] {1, 4, 16}) {
            About about = new About(
                    "scaling-hot-" + threads, "scaling-hot", threads + " threads", "text", Metric.THROUGHPUT, threads);
            results.add(fill(new WorkloadResult(about), two, threads));
        }
        results.add(result(
                "start-up",
                Metric.START,
                Map.of(PeerKind.HOLDFAST, List.of(100.0, 120.0), PeerKind.REDISSON, List.of(500.0, 600.0))));
        results.add(result(
                "watched-100000",
                Metric.HEAP,
                Map.of(PeerKind.HOLDFAST, List.of(400.0), PeerKind.REDISSON, List.of(700.0))));
        return new RunResult(new Environment(facts), results);
    }

    private static WorkloadResult contended(String name, List<PeerKind> peers, int parties) {
        return fill(
                new WorkloadResult(About.of(name, "title of " + name, "explanation", Metric.THROUGHPUT)),
                peers,
                parties);
    }

    private static WorkloadResult fill(WorkloadResult result, List<PeerKind> peers, int parties) {
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            for (PeerKind peer : peers) {
                Histogram latency = new Histogram(100, 100_000_000_000L, 3);
                long[] served = new long[parties];
                List<Turn> turns = new ArrayList<>();
                for (int i = 0; i < 2_000; i++) {
                    latency.recordValue((long) (40_000 * (1 + peer.ordinal()) * (1 + random.nextDouble())));
                    served[random.nextInt(parties)]++;
                    turns.add(new Turn(i % parties, i * 100_000L, i * 100_000L + 50_000));
                }
                result.add(
                        peer,
                        Sample.builder()
                                .latency(latency)
                                .served(served)
                                .turns(turns)
                                .value(Metric.THROUGHPUT, 10_000.0 / (1 + peer.ordinal()) + round)
                                .value(Metric.ALLOCATED, 900)
                                .value(Metric.COMMANDS, 2)
                                .build());
            }
        }
        return result;
    }
}
