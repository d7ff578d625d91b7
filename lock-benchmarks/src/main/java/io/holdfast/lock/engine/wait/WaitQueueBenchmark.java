package io.holdfast.lock.engine.wait;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The queue of those who wait for one lock, and the gate that lets steps in one at a time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WaitQueueBenchmark {

    /** How many wait already. */
    @Param({"0", "1000"})
    public int waiting;

    private final SerialGate gate = new SerialGate(Runnable::run);
    private WaitQueue queue = new WaitQueue();
    private Ticket ticket = ticket();
    private long passed;
    private final Runnable step = () -> passed++;

    private static Ticket ticket() {
        Pending<Optional<Hold>> nobody = new Pending<>() {
            @Override
            public void onSettled() {}
        };
        LockOptions options = LockOptions.defaults();
        LockKeys names = LockKeys.of("stock", options);
        return new Ticket(
                names,
                new Terms(Reentrant.KIND, options),
                new Owner(1, false),
                LeaseTerm.unnamed(options),
                Ticket.NEVER,
                null,
                0,
                nobody);
    }

    @Setup
    public void fill() {
        queue = new WaitQueue();
        for (int i = 0; i < waiting; i++) {
            queue.add(ticket());
        }
        ticket = ticket();
    }

    @Benchmark
    public int joinAndLeave() {
        queue.add(ticket);
        queue.remove(ticket);
        return queue.size();
    }

    @Benchmark
    public long gate() {
        gate.run(step);
        return passed;
    }
}
