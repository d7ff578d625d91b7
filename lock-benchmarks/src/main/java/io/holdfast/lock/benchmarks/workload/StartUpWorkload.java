package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.List;

/** A fresh JVM for each sample: what a program waits for before its first lock. */
record StartUpWorkload() implements Workload {

    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public About about() {
        return About.of(
                "start-up",
                "start-up to the first lock",
                "A fresh JVM for each sample, which has set up its logging; from there to the first lock held: loading"
                        + " classes, starting threads, connecting, locking. The start of the JVM itself is told apart"
                        + " from it.",
                Metric.START);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON, PeerKind.LETTUCE, PeerKind.JEDIS, PeerKind.SOCKET);
    }

    @Override
    public long expectedMillis(Effort effort) {
        return effort.rounds() * 4_000L;
    }

    @Override
    public Session open(Bench bench) {
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                List<String> arguments = List.of(
                        kind.name(),
                        bench.server().url(),
                        bench.site().transport().name());
                try (Child child = new Child(bench.effort().childOptions(), StartUpProgram.class, arguments)) {
                    long lockedNanos = Long.parseLong(child.await("locked"));
                    long sinceStartNanos = System.nanoTime() - child.startNanos();
                    return Sample.builder()
                            .value(Metric.START, lockedNanos / NANOS_PER_MILLI)
                            .value(Metric.PROCESS_START, sinceStartNanos / NANOS_PER_MILLI)
                            .value(Metric.THREADS, Integer.parseInt(child.await("threads")))
                            .build();
                }
            }

            @Override
            public boolean warmsUp() {
                return false;
            }
        };
    }
}
