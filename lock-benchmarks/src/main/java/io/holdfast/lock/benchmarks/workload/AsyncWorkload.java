package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PipelinedScripts;
import io.holdfast.lock.benchmarks.peer.RedisBenchmark;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Many locks under way at once without a thread for each; beside them, the scripts sent as fast as a server takes them. */
record AsyncWorkload(int inFlight) implements Workload {

    @Override
    public About about() {
        return About.of(
                "async",
                "asynchronous, " + inFlight + " in flight",
                inFlight
                        + " locks at once, each locked and unlocked by futures, over and over. The floors pipeline the same"
                        + " two scripts: a socket with " + inFlight
                        + " of them under way, and redis-benchmark with as many,"
                        + " which runs the acquires and the releases one after the other.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        List<PeerKind> peers =
                new ArrayList<>(List.of(PeerKind.HOLDFAST, PeerKind.REDISSON, PeerKind.LETTUCE, PeerKind.PIPELINE));
        if (RedisBenchmark.isPresent()) {
            peers.add(PeerKind.REDIS_BENCHMARK);
        }
        return List.copyOf(peers);
    }

    @Override
    public Session open(Bench bench) {
        URI server = URI.create(bench.server().url());
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                return switch (kind) {
                    case PIPELINE ->
                        Sample.builder()
                                .value(
                                        Metric.THROUGHPUT,
                                        new PipelinedScripts(server, inFlight).operationsPerSecond(round.millis()))
                                .build();
                    case REDIS_BENCHMARK -> {
                        double reached = new RedisBenchmark(server, inFlight).operationsPerSecond(round.millis());
                        // Hundreds of thousands of leases that end are work for the server, in the turns of others.
                        site().clear();
                        yield Sample.builder().value(Metric.THROUGHPUT, reached).build();
                    }
                    default -> AsyncLoop.run(site(), kind, inFlight, round);
                };
            }

            @Override
            public boolean countsCommands() {
                return true;
            }

            @Override
            public Site site() {
                return bench.site();
            }

            @Override
            public void close() {
                site().clear();
            }
        };
    }
}
