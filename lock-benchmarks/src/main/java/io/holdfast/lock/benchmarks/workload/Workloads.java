package io.holdfast.lock.benchmarks.workload;

import static io.holdfast.lock.benchmarks.peer.PeerKind.ASKING;
import static io.holdfast.lock.benchmarks.peer.PeerKind.HOLDFAST;
import static io.holdfast.lock.benchmarks.peer.PeerKind.JEDIS;
import static io.holdfast.lock.benchmarks.peer.PeerKind.LETTUCE;
import static io.holdfast.lock.benchmarks.peer.PeerKind.METERS;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDISSON;
import static io.holdfast.lock.benchmarks.peer.PeerKind.SOCKET;
import static io.holdfast.lock.benchmarks.peer.PeerKind.SPANS;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.LockType;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** All workloads, in the order in which they run. */
public final class Workloads {

    private static final List<PeerKind> BLOCKING = List.of(HOLDFAST, REDISSON, LETTUCE, JEDIS, SOCKET);
    /** Those that can wait for a lock. */
    private static final List<PeerKind> WAITING = List.of(HOLDFAST, REDISSON);

    private static final String CLOSED = " Service time of lock and unlock together, in a closed loop.";

    private Workloads() {}

    /** Every workload; where less is wanted, curves have fewer points and some sizes are left out. */
    public static List<Workload> all(Effort effort) {
        List<Workload> all = new ArrayList<>();
        all.add(uncontended("uncontended-lease", "lock + unlock, 1 thread, lease", HoldMode.LEASE));
        all.add(uncontended("uncontended-watchdog", "lock + unlock, 1 thread, watchdog", HoldMode.WATCHDOG));
        all.add(metered());
        all.add(ownLocks());
        for (int threads : List.of(2, 16, 64)) {
            all.add(sameLock(threads));
        }
        all.add(clients());
        for (LockType type : List.of(LockType.FAIR, LockType.READ, LockType.WRITE, LockType.PERMIT)) {
            all.add(uncontended(type));
        }
        all.add(new FairWorkload("fair-16", "fair lock, 16 threads, one client", 1, 16));
        all.add(new FairWorkload("fair-clients", "fair lock, 4 clients x 4 threads", 4, 16));
        all.add(new ReadWriteWorkload(16));
        all.add(new PermitWorkload("permits-32", "8 permits, 32 threads, one client", 1, 32));
        all.add(new PermitWorkload("permits-clients", "8 permits, 4 clients x 8 threads", 4, 32));
        all.add(new ProcessesWorkload(effort.scale() == 1 ? 3 : 2, 2));
        all.add(new AsyncWorkload(512));
        all.add(new RefusedWorkload());
        all.add(openLoop("at-rate-own-locks", "at a rate, 16 threads, own locks", BLOCKING, false));
        all.add(openLoop("at-rate-same-lock", "at a rate, 16 threads, same lock", WAITING, true));
        for (long holdMicros : List.of(0L, 100L, 1_000L)) {
            all.add(holding(holdMicros));
        }
        for (long delayMicros : List.of(500L, 2_000L)) {
            all.add(delayed(delayMicros, false));
            all.add(delayed(delayMicros, true));
        }
        for (int nodes : List.of(3, 5)) {
            all.add(new RedLockWorkload(nodes, false));
            if (nodes == 3 || effort.complete()) {
                all.add(new RedLockWorkload(nodes, true));
            }
        }
        for (int clients : List.of(4, 8)) {
            all.add(new RedLockClientsWorkload(5, clients));
        }
        List<Integer> points = effort.complete() ? List.of(1, 2, 4, 8, 16, 32, 64, 128, 256) : List.of(1, 8, 64, 256);
        points.forEach(threads -> all.add(scaling("scaling-own", threads, false)));
        points.forEach(threads -> all.add(scaling("scaling-hot", threads, true)));
        all.add(new StartUpWorkload());
        if (effort.complete() || effort.scale() > 1) {
            all.add(new WatchedWorkload(20_000));
        }
        if (effort.scale() == 1) {
            all.add(new WatchedWorkload(100_000));
        }
        return List.copyOf(all);
    }

    private static Workload uncontended(String name, String title, HoldMode mode) {
        About about = About.of(
                name,
                title,
                (mode == HoldMode.LEASE
                                ? "One thread and one lock, for a fixed lease."
                                : "One thread and one lock, renewed until it is released; peers without a watchdog take a"
                                        + " lease.")
                        + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(about, BLOCKING, 1, 1, false, LockType.PLAIN, mode, 0, 0);
    }

    private static Workload uncontended(LockType type) {
        String name = type.name().toLowerCase(Locale.ROOT);
        String what = type == LockType.PERMIT ? name : name + " lock";
        About about = About.of(
                "uncontended-" + name,
                "lock + unlock, 1 thread, " + what,
                "One thread and one " + what + ", for a fixed lease." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(about, WAITING, 1, 1, false, type, HoldMode.LEASE, 0, 0);
    }

    private static Workload metered() {
        About about = About.of(
                "uncontended-metered",
                "lock + unlock, 1 thread, with meters and with spans",
                "One thread and one lock, for a fixed lease: without a listener, with meters, and with a span for the call and"
                        + " one for the hold." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(
                about, List.of(HOLDFAST, METERS, SPANS), 1, 1, false, LockType.PLAIN, HoldMode.LEASE, 0, 0);
    }

    private static Workload ownLocks() {
        About about = About.of(
                "own-locks-16",
                "lock + unlock, 16 threads, own locks",
                "Sixteen threads of one client, each with a lock of its own." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(about, BLOCKING, 1, 16, false, LockType.PLAIN, HoldMode.LEASE, 0, 0);
    }

    private static Workload sameLock(int threads) {
        About about = About.of(
                "same-lock-" + threads,
                "same lock, " + threads + " threads, one client",
                "Threads of one client that all want one lock and give it back at once." + CLOSED,
                Metric.THROUGHPUT);
        List<PeerKind> peers = List.of(HOLDFAST, ASKING, REDISSON);
        return new LoopWorkload(about, peers, 1, threads, true, LockType.PLAIN, HoldMode.LEASE, 0, 0);
    }

    private static Workload clients() {
        About about = About.of(
                "same-lock-clients",
                "same lock, 4 clients x 4 threads",
                "Four clients in one process, each as if it were a process of its own, fight for one lock." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(about, WAITING, 4, 16, true, LockType.PLAIN, HoldMode.LEASE, 0, 0);
    }

    private static Workload openLoop(String name, String title, List<PeerKind> peers, boolean shared) {
        About about = About.of(
                name,
                title,
                "Arrivals on a fixed schedule, the same for all peers: at half of what the slowest of them reaches in a"
                        + " closed loop. Times count from when an operation was meant to begin, so nothing is left out"
                        + " by a stall; the thread's own wake-up is in them, for all alike.",
                Metric.P99);
        return new OpenLoopWorkload(about, peers, 16, shared);
    }

    private static Workload holding(long holdMicros) {
        About about = About.of(
                "hold-" + holdMicros + "us",
                "same lock, 8 threads, held for "
                        + (holdMicros < 1_000 ? holdMicros + " us" : holdMicros / 1_000 + " ms"),
                "Eight threads of one client that work while they hold the lock." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(
                about,
                WAITING,
                1,
                8,
                true,
                LockType.PLAIN,
                HoldMode.LEASE,
                TimeUnit.MICROSECONDS.toNanos(holdMicros),
                0);
    }

    private static Workload delayed(long delayMicros, boolean shared) {
        String delay = delayMicros % 1_000 == 0 ? delayMicros / 1_000 + " ms" : delayMicros / 1_000.0 + " ms";
        About about = About.of(
                "delay-" + delayMicros + "us-" + (shared ? "same-lock" : "uncontended"),
                (shared ? "same lock, 8 threads, " : "lock + unlock, 1 thread, ") + delay + " of network",
                "A proxy adds " + delay + " to each round trip, as in a data centre; the round trip of a bare command"
                        + " through it is measured. Processor time and allocations include the proxy's." + CLOSED,
                Metric.THROUGHPUT);
        return new LoopWorkload(
                about,
                shared ? WAITING : BLOCKING,
                1,
                shared ? 8 : 1,
                shared,
                LockType.PLAIN,
                HoldMode.LEASE,
                0,
                TimeUnit.MICROSECONDS.toNanos(delayMicros));
    }

    private static Workload scaling(String family, int threads, boolean shared) {
        About about = new About(
                family + "-" + threads,
                family,
                (shared ? "one hot lock, " : "own locks, ") + threads + (threads == 1 ? " thread" : " threads"),
                (shared ? "One lock for all threads of a client." : "A lock for each thread of a client.") + CLOSED,
                Metric.THROUGHPUT,
                threads);
        List<PeerKind> peers = shared ? WAITING : List.of(HOLDFAST, REDISSON, LETTUCE, SOCKET);
        return new LoopWorkload(about, peers, 1, threads, shared, LockType.PLAIN, HoldMode.LEASE, 0, 0);
    }
}
