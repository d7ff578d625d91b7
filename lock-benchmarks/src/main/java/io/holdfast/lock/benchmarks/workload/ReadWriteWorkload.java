package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.LockType;
import io.holdfast.lock.benchmarks.peer.Peer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/** Many readers and one writer of a read/write lock, all without a pause. How long the writer waits is kept apart. */
record ReadWriteWorkload(int readers) implements Workload {

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Override
    public About about() {
        return About.of(
                "read-write",
                "read/write lock, " + readers + " readers and 1 writer",
                readers
                        + " threads that read and one that writes, of one client, each of which gives the lock back at once."
                        + " The throughput is that of both; a lock that lets readers pass the writer reads more and writes"
                        + " hardly, so the writer's longest wait stands beside it. Service time in a closed loop.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public Session open(Bench bench) {
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                Peer peer = site().peer(kind, 0);
                List<ClosedLoop.Operation> parties = new ArrayList<>();
                for (int reader = 0; reader < readers; reader++) {
                    PeerLock lock = peer.lock(about().name(), LockType.READ, HoldMode.LEASE);
                    parties.add(marks -> once(lock, marks));
                }
                PeerLock write = peer.lock(about().name(), LockType.WRITE, HoldMode.LEASE);
                LongAccumulator longest = new LongAccumulator(Math::max, 0);
                parties.add(marks -> {
                    long askedNanos = System.nanoTime();
                    once(write, marks);
                    longest.accumulate(marks.grantedNanos - askedNanos);
                });
                return ClosedLoop.run(bench.crew(), parties, round, site().servers())
                        .with(Metric.WRITER_WAIT, longest.get() / NANOS_PER_MILLI);
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

    private static void once(PeerLock lock, ClosedLoop.Marks marks) {
        lock.lock();
        marks.grantedNanos = System.nanoTime();
        marks.doneNanos = marks.grantedNanos;
        lock.unlock();
    }
}
