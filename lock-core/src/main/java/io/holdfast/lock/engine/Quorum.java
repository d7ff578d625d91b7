package io.holdfast.lock.engine;

import io.holdfast.lock.QuorumOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What the locks of one quorum share: its options, what is known of its nodes, and how long a round takes. */
final class Quorum {

    private static final long FIRST_GUESS_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    final QuorumOptions options;
    final ServerClocks clocks;
    final RestartGuard guard;

    /** A sliding mean. */
    private volatile long roundNanos = FIRST_GUESS_NANOS;

    Quorum(Engine engine, QuorumOptions options, String prefix) {
        this.options = options;
        this.clocks = new ServerClocks(engine.stores().size());
        this.guard = new RestartGuard(engine, options, clocks, prefix);
    }

    long nodeTimeoutNanos(long leaseMillis) {
        return options.nodeTimeoutFor(Duration.ofMillis(leaseMillis)).toNanos();
    }

    long longestNodeTimeoutNanos() {
        return options.nodeTimeoutFor(options.longestLease()).toNanos();
    }

    /** How long a round over the nodes takes these days. */
    long roundNanos() {
        return roundNanos;
    }

    /** A round was decided after this time. */
    void roundTook(long nanos) {
        long mean = roundNanos;
        roundNanos = mean + (nanos - mean) / 8;
    }
}
