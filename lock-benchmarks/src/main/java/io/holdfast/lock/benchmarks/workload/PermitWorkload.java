package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.LockType;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Threads that all want one of a semaphore's permits, of which there are fewer, and give it back at once. */
record PermitWorkload(String name, String title, int clients, int threads) implements Workload {

    @Override
    public About about() {
        return About.of(
                name,
                title,
                "Threads that all want one of " + PeerLock.PERMITS
                        + " permits, each with a lease of its own, and give it back at once. Service time of acquire and"
                        + " release together, in a closed loop.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public String practice() {
        return "waiting for permits";
    }

    @Override
    public Session open(Bench bench) {
        return new Session() {
            /** Made once: each sets the limit, which is no part of an operation. */
            private final Map<PeerKind, List<PeerLock>> permits = new EnumMap<>(PeerKind.class);

            @Override
            public Sample round(PeerKind kind, Round round) {
                List<ClosedLoop.Operation> parties =
                        permits.computeIfAbsent(kind, peer -> permits(site(), peer)).stream()
                                .<ClosedLoop.Operation>map(permit -> marks -> once(permit, marks))
                                .toList();
                return ClosedLoop.run(bench.crew(), parties, round, site().servers());
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
                bench.site().clear();
            }
        };
    }

    private List<PeerLock> permits(Site site, PeerKind kind) {
        return IntStream.range(0, threads)
                .mapToObj(thread -> site.peer(kind, thread % clients).lock(name, LockType.PERMIT, HoldMode.LEASE))
                .toList();
    }

    private static void once(PeerLock permit, ClosedLoop.Marks marks) {
        permit.lock();
        marks.grantedNanos = System.nanoTime();
        marks.doneNanos = marks.grantedNanos;
        permit.unlock();
    }
}
