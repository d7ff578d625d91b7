package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Vouching;
import java.util.ArrayList;
import java.util.List;

/** What a majority of all Sentinels says, when the test wants it. */
final class ScriptedVouching implements Vouching {
    private final ManualRuntime runtime;
    private final List<Runnable> listeners = new ArrayList<>();
    private long epoch;
    private long untilNanos;

    /** A majority names the server in this epoch, and goes on. */
    ScriptedVouching(ManualRuntime runtime, long epoch) {
        this.runtime = runtime;
        this.epoch = epoch;
        this.untilNanos = runtime.nanos() + 3_600_000_000_000L;
    }

    /** From now on a majority names the server in this epoch. */
    void names(long newEpoch) {
        epoch = newEpoch;
        untilNanos = runtime.nanos() + 3_600_000_000_000L;
        tell();
    }

    /** The Sentinels' answers are too old, or name another server. */
    void ends() {
        epoch = NO_EPOCH;
        untilNanos = runtime.nanos();
        tell();
    }

    /** The same, and no listener has heard of it yet. */
    void endsUnheard() {
        epoch = NO_EPOCH;
        untilNanos = runtime.nanos();
    }

    private void tell() {
        List.copyOf(listeners).forEach(Runnable::run);
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long untilNanos(long named) {
        return named == epoch ? untilNanos : runtime.nanos();
    }

    @Override
    public void listen(Runnable task) {
        listeners.add(task);
    }
}
