package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.concurrent.Executor;

/** A clock that stands still until it is told to go on, and chance that always takes the highest number. */
final class FakeRuntime implements Runtime {

    long nanos = 1_000_000;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long random(long bound) {
        return bound - 1;
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        throw new UnsupportedOperationException("connections use their event loop's timers");
    }

    @Override
    public Executor steps() {
        return Runnable::run;
    }

    @Override
    public Executor callbacks() {
        throw new UnsupportedOperationException("connections call nobody's callbacks");
    }

    @Override
    public Blocker blocker() {
        throw new UnsupportedOperationException("connections never wait");
    }
}
