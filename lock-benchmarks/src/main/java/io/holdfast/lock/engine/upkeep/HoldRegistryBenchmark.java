package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.InstantBackend;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The registry of holds, by the time at which each is due: every lock enters and leaves it, renewals move within it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HoldRegistryBenchmark {

    private static final long LEASE_MILLIS = 30_000;

    /** How many holds there are beside. */
    @Param({"1", "1000", "100000"})
    public int holds;

    private final Store store = new Store(0, new InstantBackend());
    private DueHeap heap = new DueHeap((lease, more) -> {});
    private List<StoreLease> leases = new ArrayList<>();
    private long nowNanos;
    private int next;

    @Setup
    public void fill() {
        heap = new DueHeap((lease, more) -> {});
        leases = new ArrayList<>();
        for (int i = 0; i < holds; i++) {
            StoreLease lease = StoreLease.granted(store, ServerRun.UNKNOWN, 0, LEASE_MILLIS);
            leases.add(lease);
            heap.put(lease, nowNanos += 1_000);
        }
    }

    /** A lock that is taken and given back at once, due after all others. */
    @Benchmark
    public int enterAndLeave() {
        StoreLease lease = StoreLease.granted(store, ServerRun.UNKNOWN, 0, LEASE_MILLIS);
        heap.put(lease, nowNanos + 1_000);
        heap.remove(lease);
        return heap.size();
    }

    /** A renewal: the earliest becomes the latest. */
    @Benchmark
    public int renew() {
        StoreLease lease = leases.get(next++ % holds);
        heap.put(lease, nowNanos += 1_000);
        return heap.size();
    }
}
