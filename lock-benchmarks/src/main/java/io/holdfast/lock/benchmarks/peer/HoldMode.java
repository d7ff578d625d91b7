package io.holdfast.lock.benchmarks.peer;

/** Who looks after a hold. Peers without a watchdog take the lease either way. */
public enum HoldMode {
    /** A fixed lease, never renewed. */
    LEASE,
    /** Renewed until it is released. */
    WATCHDOG
}
