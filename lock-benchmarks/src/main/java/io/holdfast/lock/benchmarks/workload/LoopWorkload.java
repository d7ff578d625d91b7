package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.LockType;
import io.holdfast.lock.benchmarks.peer.Peer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.benchmarks.workload.ClosedLoop.Marks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Threads that lock, hold and unlock in a closed loop.
 *
 * @param clients how many clients the threads are spread over
 * @param threads how many there are in all
 * @param shared whether they all want one lock, or each has its own
 * @param type which of a peer's locks it is
 * @param holdNanos how long they hold it
 * @param delayNanos what a network adds to each round trip
 */
record LoopWorkload(
        About about,
        List<PeerKind> peers,
        int clients,
        int threads,
        boolean shared,
        LockType type,
        HoldMode mode,
        long holdNanos,
        long delayNanos)
        implements Workload {

    @Override
    public String practice() {
        String kind = type == LockType.PLAIN ? "" : " " + type;
        return (shared ? "waiting" : "locking") + kind;
    }

    @Override
    public Session open(Bench bench) {
        return delayNanos == 0 ? new Loop(bench, bench.site()) : new DelayedLoop(bench, Network.to(bench, delayNanos));
    }

    List<PeerLock> locks(Site site, PeerKind kind) {
        List<PeerLock> locks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            Peer peer = site.peer(kind, thread % clients);
            locks.add(peer.lock(shared ? about.name() : about.name() + "-" + thread, type, mode));
        }
        return locks;
    }

    void lockAndUnlock(PeerLock lock, Marks marks) {
        lock.lock();
        marks.grantedNanos = System.nanoTime();
        hold(marks.grantedNanos, holdNanos);
        marks.doneNanos = System.nanoTime();
        lock.unlock();
    }

    /** Works for a while: short times on the processor, long ones as if waiting for somebody else. */
    private static void hold(long sinceNanos, long holdNanos) {
        if (holdNanos >= TimeUnit.MILLISECONDS.toNanos(1)) {
            Pause.until(sinceNanos + holdNanos);
        } else {
            while (System.nanoTime() - sinceNanos < holdNanos) {
                Thread.onSpinWait();
            }
        }
    }

    private class Loop implements Session {

        private final Bench bench;
        private final Site site;

        Loop(Bench bench, Site site) {
            this.bench = bench;
            this.site = site;
        }

        @Override
        public Sample round(PeerKind kind, Round round) {
            List<PeerLock> locks = locks(site, kind);
            try {
                return ClosedLoop.run(
                        bench.crew(),
                        locks.stream()
                                .<ClosedLoop.Operation>map(lock -> marks -> lockAndUnlock(lock, marks))
                                .toList(),
                        round,
                        site.servers());
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
            return site;
        }

        @Override
        public void close() {
            site.clear();
        }
    }

    /** The same through a network that takes its time. */
    private final class DelayedLoop extends Loop {

        private final Network network;

        DelayedLoop(Bench bench, Network network) {
            super(bench, network.site());
            this.network = network;
        }

        @Override
        public Sample round(PeerKind kind, Round round) {
            return super.round(kind, round).with(Metric.ROUND_TRIP, network.roundTripMicros());
        }

        @Override
        public void close() {
            super.close();
            network.close();
        }
    }
}
