package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Lets ten lines of a kind through in a second, so that a large loss does not become a flood. */
public final class LogLimit {

    private static final int LINES = 10;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Runtime runtime;
    private final AtomicLong lines = new AtomicLong();
    private volatile long windowSinceNanos;

    public LogLimit(Runtime runtime) {
        this.runtime = runtime;
        this.windowSinceNanos = runtime.nanos();
    }

    public boolean permits() {
        long now = runtime.nanos();
        if (now - windowSinceNanos >= WINDOW_NANOS) {
            windowSinceNanos = now;
            lines.set(0);
        }
        return lines.getAndIncrement() < LINES;
    }
}
