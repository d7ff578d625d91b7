package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.TimeUnit;

/** How long to pause after so many failures: twice as long each time, up to a second, with jitter. */
public final class Backoff {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MAX_DOUBLINGS = 6;
    /** The same while the primary may be replaced: 80 to 240 ms at last. */
    private static final int MAX_DOUBLINGS_UNTIL_REPLACED = 3;

    private Backoff() {}

    public static long nanos(int failures, Runtime runtime) {
        long base = FIRST_NANOS << Math.min(failures, MAX_DOUBLINGS);
        return base / 2 + runtime.random(base);
    }

    /**
     * The same for a call that has met a fault. Where another server may become the primary, no node tells a client that one has: the
     * client has to ask, so these pauses stay short. What asks first and is served connects the client, which ends the pauses of
     * calls that wait.
     *
     * @param mayFailOver whether another server may become the primary
     */
    public static long nanos(int failures, Fault.Kind met, boolean mayFailOver, Runtime runtime) {
        boolean mayBeReplaced = met == Fault.Kind.CLUSTERDOWN || (met == Fault.Kind.UNREACHABLE && mayFailOver);
        return nanos(mayBeReplaced ? Math.min(failures, MAX_DOUBLINGS_UNTIL_REPLACED) : failures, runtime);
    }
}
