package io.holdfast.lock.examples.failover;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.SentinelOptions;
import java.time.Duration;

/** The failover guard as all clients of a run have it: they would not be kept apart otherwise. */
final class Guard {

    /** For so long what a Sentinel said counts. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** What a write takes, and much more: an owner whose validity is over sooner begins none. */
    private static final Duration LONGEST_WRITE = Duration.ofSeconds(1);

    private Guard() {}

    /** A client of locks with this lease, which is the longest. */
    static ClientOptions.Builder options(Duration lease) {
        LockOptions locks = LockOptions.builder().watchdogLease(lease).build();
        return ClientOptions.builder()
                .failoverGuard(lease)
                .sentinel(SentinelOptions.builder().silence(SILENCE).build())
                .lockOptions(locks);
    }

    /** For how long a new primary grants nothing, but for what is added for clocks that differ. */
    static Duration pause(Duration lease) {
        return lease.plus(SILENCE);
    }

    /** Whether an owner whose lock is valid for so long may begin to write. */
    static boolean mayWrite(Duration validFor) {
        return validFor.compareTo(LONGEST_WRITE) > 0;
    }
}
