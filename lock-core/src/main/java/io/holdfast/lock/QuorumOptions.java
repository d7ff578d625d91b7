package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How locks over several independent nodes behave. Immutable.
 *
 * <table>
 *   <caption>Defaults</caption>
 *   <tr><th>option</th><th>default</th><th>meaning</th></tr>
 *   <tr><td>nodeTimeout</td><td>a tenth of the lease, 5 to 50 ms</td><td>how long one node may take to answer an
 *       acquisition</td></tr>
 *   <tr><td>fencing</td><td>true</td><td>tokens increase across any two majorities; costs a second round when nodes
 *       disagree</td></tr>
 *   <tr><td>restartGuard</td><td>true</td><td>a node that was restarted and may have forgotten locks is left out
 *       until none of them can be alive</td></tr>
 *   <tr><td>longestLease</td><td>30 s</td><td>how long a restarted node is left out. Set it to the longest lease
 *       that any client uses on these nodes</td></tr>
 *   <tr><td>clockMargin</td><td>10 min</td><td>how far ahead of its own clock a node accepts a proposed token, and how much
 *       of the difference of the clocks the restart guard waits for</td></tr>
 * </table>
 */
public final class QuorumOptions {

    private static final Duration SHORTEST_DERIVED = Duration.ofMillis(5);
    private static final Duration LONGEST_DERIVED = Duration.ofMillis(50);
    private static final QuorumOptions DEFAULTS = new Builder().build();

    private final Optional<Duration> nodeTimeout;
    private final boolean fencing;
    private final boolean restartGuard;
    private final Duration longestLease;
    private final Duration clockMargin;

    private QuorumOptions(Builder builder) {
        this.nodeTimeout = builder.nodeTimeout;
        this.fencing = builder.fencing;
        this.restartGuard = builder.restartGuard;
        this.longestLease = builder.longestLease;
        this.clockMargin = builder.clockMargin;
    }

    public static QuorumOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.nodeTimeout = nodeTimeout;
        builder.fencing = fencing;
        builder.restartGuard = restartGuard;
        builder.longestLease = longestLease;
        builder.clockMargin = clockMargin;
        return builder;
    }

    public Optional<Duration> nodeTimeout() {
        return nodeTimeout;
    }

    /** How long one node may take to answer an acquisition for this lease. */
    public Duration nodeTimeoutFor(Duration lease) {
        return nodeTimeout.orElseGet(() -> {
            Duration tenth = lease.dividedBy(10);
            return tenth.compareTo(SHORTEST_DERIVED) < 0
                    ? SHORTEST_DERIVED
                    : tenth.compareTo(LONGEST_DERIVED) > 0 ? LONGEST_DERIVED : tenth;
        });
    }

    public boolean fencing() {
        return fencing;
    }

    public boolean restartGuard() {
        return restartGuard;
    }

    public Duration longestLease() {
        return longestLease;
    }

    public Duration clockMargin() {
        return clockMargin;
    }

    /** By value, so that locks which are composed again with the same options are the same locks. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QuorumOptions that
                && nodeTimeout.equals(that.nodeTimeout)
                && fencing == that.fencing
                && restartGuard == that.restartGuard
                && longestLease.equals(that.longestLease)
                && clockMargin.equals(that.clockMargin);
    }

    @Override
    public int hashCode() {
        return Objects.hash(nodeTimeout, fencing, restartGuard, longestLease, clockMargin);
    }

    @Override
    public String toString() {
        return "QuorumOptions{nodeTimeout="
                + Printable.of(nodeTimeout.map(Durations::of).orElse("a tenth of the lease, 5 to 50 ms"))
                + ", fencing="
                + fencing + ", restartGuard=" + restartGuard + ", longestLease=" + Durations.of(longestLease)
                + ", clockMargin=" + Durations.of(clockMargin) + '}';
    }

    /** Collects options. */
    public static final class Builder {

        private Optional<Duration> nodeTimeout = Optional.empty();
        private boolean fencing = true;
        private boolean restartGuard = true;
        private Duration longestLease = Duration.ofSeconds(30);
        private Duration clockMargin = Duration.ofMinutes(10);

        private Builder() {}

        public Builder nodeTimeout(Duration nodeTimeout) {
            this.nodeTimeout = Optional.of(Options.time("nodeTimeout", nodeTimeout));
            return this;
        }

        /** Takes a fixed node timeout back: it follows from the lease. */
        public Builder noNodeTimeout() {
            this.nodeTimeout = Optional.empty();
            return this;
        }

        public Builder fencing(boolean fencing) {
            this.fencing = fencing;
            return this;
        }

        public Builder restartGuard(boolean restartGuard) {
            this.restartGuard = restartGuard;
            return this;
        }

        public Builder longestLease(Duration longestLease) {
            this.longestLease = Options.atLeast(LockOptions.MIN_LEASE, "longestLease", longestLease);
            return this;
        }

        public Builder clockMargin(Duration clockMargin) {
            this.clockMargin = Options.atLeast(Duration.ofSeconds(1), "clockMargin", clockMargin);
            return this;
        }

        public QuorumOptions build() {
            return new QuorumOptions(this);
        }
    }
}
