package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.LockType;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Threads that all want one fair lock and give it back at once. Beside the times it is counted how many turns others had while
 * one waited: in the order of arrival no other has two, and a thread that is kept from asking for a moment sees a few more.
 */
record FairWorkload(String name, String title, int clients, int threads) implements Workload {

    @Override
    public About about() {
        return About.of(
                name,
                title,
                "Threads that all want one fair lock and give it back at once; a thread that comes again stands at the end."
                        + " Service time of lock and unlock together, in a closed loop.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public String practice() {
        return "waiting in turn";
    }

    @Override
    public Session open(Bench bench) {
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                List<PeerLock> locks = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    locks.add(site().peer(kind, thread % clients).lock(name, LockType.FAIR, HoldMode.LEASE));
                }
                AtomicLong turns = new AtomicLong();
                LongAccumulator most = new LongAccumulator(Math::max, 0);
                try {
                    return ClosedLoop.run(
                                    bench.crew(),
                                    locks.stream()
                                            .<ClosedLoop.Operation>map(lock -> marks -> once(lock, turns, most, marks))
                                            .toList(),
                                    round,
                                    site().servers())
                            .with(Metric.OVERTAKEN, most.get());
                } finally {
                    locks.forEach(PeerLock::close);
                }
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

    private static void once(PeerLock lock, AtomicLong turns, LongAccumulator most, ClosedLoop.Marks marks) {
        long before = turns.get();
        lock.lock();
        marks.grantedNanos = System.nanoTime();
        most.accumulate(turns.getAndIncrement() - before);
        marks.doneNanos = System.nanoTime();
        lock.unlock();
    }
}
