package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.List;

/** One thread asks for a lock that another client of the same kind holds, and is refused each time. */
record RefusedWorkload() implements Workload {

    @Override
    public About about() {
        return About.of(
                "refused",
                "tryLock refused, 1 thread",
                "tryLock() without a wait, on a lock that another client holds. Service time in a closed loop.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON, PeerKind.LETTUCE, PeerKind.JEDIS, PeerKind.SOCKET);
    }

    @Override
    public Session open(Bench bench) {
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                PeerLock holder = site().peer(kind, 1).lock(about().name(), HoldMode.LEASE);
                PeerLock asker = site().peer(kind, 0).lock(about().name(), HoldMode.LEASE);
                holder.lock();
                try {
                    ClosedLoop.Operation ask = marks -> {
                        if (asker.tryLock()) {
                            throw new IllegalStateException(kind.title() + " granted a lock that somebody else holds");
                        }
                    };
                    return ClosedLoop.run(bench.crew(), List.of(ask), round, site().servers());
                } finally {
                    holder.unlock();
                    holder.close();
                    asker.close();
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
        };
    }
}
