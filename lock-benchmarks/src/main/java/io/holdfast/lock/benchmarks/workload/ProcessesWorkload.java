package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Several JVMs, each with some threads, that all want one lock. */
record ProcessesWorkload(int processes, int threadsOfEach) implements Workload {

    @Override
    public About about() {
        return About.of(
                "processes",
                "same lock, " + processes + " processes x " + threadsOfEach + " threads",
                "JVMs of their own fight for one lock. Nothing but the server is between them: hand-overs inside a client"
                        + " cannot help across processes.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public long expectedMillis(Effort effort) {
        return Workload.super.expectedMillis(effort) + 1_500L * processes;
    }

    @Override
    public Session open(Bench bench) {
        Map<PeerKind, List<Child>> children = new EnumMap<>(PeerKind.class);
        for (PeerKind kind : peers()) {
            List<Child> started = new ArrayList<>();
            for (int process = 0; process < processes; process++) {
                started.add(new Child(
                        bench.effort().childOptions(),
                        WorkerProgram.class,
                        List.of(
                                kind.name(),
                                bench.server().url(),
                                bench.site().transport().name(),
                                String.valueOf(threadsOfEach))));
            }
            started.forEach(child -> child.await("ready"));
            children.put(kind, started);
        }
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                return measure(children.get(kind), round.millis());
            }

            @Override
            public void close() {
                children.values().forEach(all -> all.forEach(Child::close));
                bench.site().clear();
            }
        };
    }

    private static Sample measure(List<Child> children, long millis) {
        children.forEach(child -> child.tell(String.valueOf(millis)));
        Histogram latency = Histograms.create();
        List<Long> served = new ArrayList<>();
        for (Child child : children) {
            for (String each : child.await("served").split(",", -1)) {
                served.add(Long.parseLong(each));
            }
            latency.add(decode(child.await("latency")));
        }
        long[] all = served.stream().mapToLong(Long::longValue).toArray();
        return Sample.builder()
                .latency(latency)
                .served(all)
                .value(Metric.THROUGHPUT, Arrays.stream(all).sum() * 1e3 / millis)
                .build();
    }

    private static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException garbled) {
            throw new IllegalStateException("a child process sent something that is no histogram", garbled);
        }
    }
}
