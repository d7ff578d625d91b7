package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Lock and unlock through the whole engine, over a store that answers at once: no socket, no thread, no waiting. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {

    private final LockClient client =
            EngineClient.over(new InstantBackend(), ClientOptions.defaults(), "01234567-89ab-cdef-0123-456789abcdef");
    private final RLock lock = client.getLock("stock:42");

    @Benchmark
    public void lockForLease() {
        lock.lock(30, TimeUnit.SECONDS);
        lock.unlock();
    }

    @Benchmark
    public void lockWatched() {
        lock.lock();
        lock.unlock();
    }

    @Benchmark
    public Object lockAsync() {
        lock.lockAsync(30, TimeUnit.SECONDS, 1);
        return lock.unlockAsync(1);
    }

    @Benchmark
    public RLock getLock() {
        return client.getLock("stock:42");
    }
}
