package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A call's way through the queue before the connection, and through what is in flight behind it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CallQueueBenchmark {

    /** How many calls go in before they come out. */
    @Param({"1", "64"})
    public int burst;

    private final CallQueue queue =
            new CallQueue(new Room(65_536, TimeUnit.SECONDS.toNanos(3)), TimeUnit.SECONDS.toNanos(3));
    private final InFlight inFlight = new InFlight(0);
    private final ScriptCall call = new ScriptCall(new Script("none", "return 1"), 0, 0, 0) {
        @Override
        public void encode(Args out) {}

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onFault(Fault fault) {}
    };

    @Benchmark
    public Object queue() {
        for (int i = 0; i < burst; i++) {
            queue.offer(call);
        }
        Object last = null;
        for (int i = 0; i < burst; i++) {
            last = queue.poll(false);
        }
        return last;
    }

    @Benchmark
    public Object inFlight() {
        for (int i = 0; i < burst; i++) {
            inFlight.add(call, (byte) 0);
        }
        Object last = null;
        for (int i = 0; i < burst; i++) {
            last = inFlight.remove();
        }
        return last;
    }
}
