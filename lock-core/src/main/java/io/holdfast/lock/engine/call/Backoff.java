package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.TimeUnit;

/** How long to pause after so many failures: twice as long each time, up to a second, with jitter. */
public final class Backoff {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MAX_DOUBLINGS = 6;

    private Backoff() {}

    public static long nanos(int failures, Runtime runtime) {
        long base = FIRST_NANOS << Math.min(failures, MAX_DOUBLINGS);
        return base / 2 + runtime.random(base);
    }
}
