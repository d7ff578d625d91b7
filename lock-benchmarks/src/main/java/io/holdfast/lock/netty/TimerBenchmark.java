package io.holdfast.lock.netty;

import io.holdfast.lock.spi.Timer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Setting a timer and taking it back, as every wait does, among others that are set. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerBenchmark {

    /** How many timers are set already. */
    @Param({"0", "10000"})
    public int others;

    private TimerThread timers = new TimerThread("benchmark-timer");

    @Setup
    public void setOthers() {
        timers = new TimerThread("benchmark-timer");
        for (int i = 0; i < others; i++) {
            timers.after(TimeUnit.MINUTES.toNanos(60) + i, () -> {});
        }
    }

    @TearDown
    public void close() {
        timers.close();
    }

    @Benchmark
    public Timer setAndCancel() {
        Timer timer = timers.after(TimeUnit.SECONDS.toNanos(30), () -> {});
        timer.cancel();
        return timer;
    }
}
