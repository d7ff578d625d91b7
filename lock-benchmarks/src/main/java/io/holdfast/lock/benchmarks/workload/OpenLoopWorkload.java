package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Arrivals at a fixed rate, the same for all peers: half of what the slowest of them reached in a closed loop just
 * before. An operation's time counts from when it was meant to begin, so that a stall is paid for by everybody who
 * arrives during it and not only by those who were under way.
 */
record OpenLoopWorkload(About about, List<PeerKind> peers, int threads, boolean shared) implements Workload {

    private static final double FRACTION = 0.5;
    /** So far behind its schedule a thread gives up the rest of it. */
    private static final long MOST_BEHIND_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Override
    public String practice() {
        return shared ? "waiting" : "locking";
    }

    @Override
    public Session open(Bench bench) {
        double slowest = peers.stream()
                .mapToDouble(kind -> Math.max(reach(bench, kind), reach(bench, kind)))
                .min()
                .orElseThrow();
        double rate = slowest * FRACTION;
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                List<PeerLock> locks = locks(bench.site(), kind);
                try {
                    return arrivals(bench.crew(), locks, rate, round);
                } finally {
                    locks.forEach(PeerLock::close);
                }
            }

            @Override
            public void close() {
                bench.site().clear();
            }
        };
    }

    /** What a peer reaches in a closed loop; whoever asks twice and takes the better is not fooled by a hiccup. */
    private double reach(Bench bench, PeerKind kind) {
        List<PeerLock> locks = locks(bench.site(), kind);
        try {
            Round trial = Round.warmUp(
                    Math.max(bench.effort().warmUpMillis(), bench.effort().roundMillis()));
            List<ClosedLoop.Operation> parties = locks.stream()
                    .<ClosedLoop.Operation>map(lock -> marks -> once(lock))
                    .toList();
            return ClosedLoop.run(bench.crew(), parties, trial, List.of())
                    .value(Metric.THROUGHPUT)
                    .orElseThrow();
        } finally {
            locks.forEach(PeerLock::close);
        }
    }

    private List<PeerLock> locks(Site site, PeerKind kind) {
        List<PeerLock> locks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            locks.add(site.peer(kind, 0).lock(shared ? about.name() : about.name() + "-" + thread, HoldMode.LEASE));
        }
        return locks;
    }

    private static void once(PeerLock lock) {
        lock.lock();
        lock.unlock();
    }

    private static Sample arrivals(Crew crew, List<PeerLock> locks, double perSecond, Round round) {
        long lengthNanos = TimeUnit.MILLISECONDS.toNanos(round.millis());
        double intervalNanos = 1e9 * locks.size() / perSecond;
        long startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
        List<Callable<Histogram>> parts = new ArrayList<>();
        for (int thread = 0; thread < locks.size(); thread++) {
            PeerLock lock = locks.get(thread);
            double firstNanos = intervalNanos * thread / locks.size();
            parts.add(() -> {
                Histogram latency = Histograms.create();
                long behindNanos = 0;
                for (double due = firstNanos;
                        due < lengthNanos && behindNanos < MOST_BEHIND_NANOS;
                        due += intervalNanos) {
                    long dueNanos = startNanos + (long) due;
                    Pause.until(dueNanos);
                    once(lock);
                    behindNanos = System.nanoTime() - dueNanos;
                    Histograms.record(latency, behindNanos);
                }
                return latency;
            });
        }
        Histogram latency = Histograms.create();
        crew.run(parts).forEach(latency::add);
        double seconds = Math.max(lengthNanos, System.nanoTime() - startNanos) / 1e9;
        return Sample.builder()
                .latency(latency)
                .value(Metric.THROUGHPUT, latency.getTotalCount() / seconds)
                .build();
    }
}
