package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a lock behaves. Immutable.
 *
 * <table>
 *   <caption>Defaults</caption>
 *   <tr><th>option</th><th>default</th><th>meaning</th></tr>
 *   <tr><td>watchdogLease</td><td>30 s</td><td>lease of holds that the watchdog renews, every third of it</td></tr>
 *   <tr><td>lease</td><td>none</td><td>a fixed lease for calls that name none, instead of the watchdog</td></tr>
 *   <tr><td>maxHold</td><td>none</td><td>the watchdog stops here; the hold is lost with MAX_HOLD; longer
 *       leases are refused</td></tr>
 *   <tr><td>keyScheme</td><td>HOLDFAST</td><td>REDISSON shares locks with Redisson clients</td></tr>
 *   <tr><td>prefix</td><td>{@code holdfast}</td><td>begins every key and channel of the holdfast scheme</td></tr>
 *   <tr><td>listener</td><td>none</td><td>hears what happens to the lock; one, or several by
 *       {@link LockListener#of(LockListener...)}</td></tr>
 * </table>
 */
public final class LockOptions {

    /** The shortest lease. */
    public static final Duration MIN_LEASE = Duration.ofMillis(10);

    /** The shortest lease that can be renewed in time. */
    public static final Duration MIN_WATCHDOG_LEASE = Duration.ofMillis(100);

    private static final LockOptions DEFAULTS = new Builder().build();

    private final Duration watchdogLease;
    private final Optional<Duration> lease;
    private final Optional<Duration> maxHold;
    private final KeyScheme keyScheme;
    private final String prefix;
    private final LockListener listener;
    private final List<LockListener> listeners;

    private LockOptions(Builder builder) {
        this.watchdogLease = builder.watchdogLease;
        this.lease = builder.lease;
        this.maxHold = builder.maxHold;
        this.keyScheme = builder.keyScheme;
        this.prefix = builder.prefix;
        this.listener = builder.listener;
        this.listeners = ListenerList.parts(listener);
    }

    public static LockOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.watchdogLease = watchdogLease;
        builder.lease = lease;
        builder.maxHold = maxHold;
        builder.keyScheme = keyScheme;
        builder.prefix = prefix;
        builder.listener = listener;
        return builder;
    }

    public Duration watchdogLease() {
        return watchdogLease;
    }

    public Optional<Duration> lease() {
        return lease;
    }

    public Optional<Duration> maxHold() {
        return maxHold;
    }

    public KeyScheme keyScheme() {
        return keyScheme;
    }

    public String prefix() {
        return prefix;
    }

    public LockListener listener() {
        return listener;
    }

    /** The listeners, each by itself; empty if there is none. */
    public List<LockListener> listeners() {
        return listeners;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof LockOptions that
                && watchdogLease.equals(that.watchdogLease)
                && lease.equals(that.lease)
                && maxHold.equals(that.maxHold)
                && keyScheme == that.keyScheme
                && prefix.equals(that.prefix)
                && listener.equals(that.listener);
    }

    @Override
    public int hashCode() {
        return Objects.hash(watchdogLease, lease, maxHold, keyScheme, prefix, listener);
    }

    @Override
    public String toString() {
        return "LockOptions{watchdogLease=" + Durations.of(watchdogLease) + ", lease="
                + Printable.of(lease.map(Durations::of).orElse("none")) + ", maxHold="
                + Printable.of(maxHold.map(Durations::of).orElse("none")) + ", keyScheme=" + keyScheme
                + ", prefix=" + Printable.of(prefix) + ", listener=" + Printable.of(listener) + '}';
    }

    /** Collects options; {@link #build} checks that they fit together. */
    public static final class Builder {

        private Duration watchdogLease = Duration.ofSeconds(30);
        private Optional<Duration> lease = Optional.empty();
        private Optional<Duration> maxHold = Optional.empty();
        private KeyScheme keyScheme = KeyScheme.HOLDFAST;
        private String prefix = "holdfast";
        private LockListener listener = LockListener.NONE;

        private Builder() {}

        public Builder watchdogLease(Duration watchdogLease) {
            this.watchdogLease = Options.atLeast(MIN_WATCHDOG_LEASE, "watchdogLease", watchdogLease);
            return this;
        }

        public Builder lease(Duration lease) {
            this.lease = Optional.of(Options.atLeast(MIN_LEASE, "lease", lease));
            return this;
        }

        /** Takes a fixed lease back: calls that name none are renewed by the watchdog. */
        public Builder noLease() {
            this.lease = Optional.empty();
            return this;
        }

        public Builder maxHold(Duration maxHold) {
            this.maxHold = Optional.of(Options.atLeast(MIN_LEASE, "maxHold", maxHold));
            return this;
        }

        /** Takes the longest hold back. */
        public Builder noMaxHold() {
            this.maxHold = Optional.empty();
            return this;
        }

        public Builder keyScheme(KeyScheme keyScheme) {
            this.keyScheme = Objects.requireNonNull(keyScheme, "keyScheme");
            return this;
        }

        public Builder prefix(String prefix) {
            this.prefix = Options.prefix(prefix);
            return this;
        }

        public Builder listener(LockListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** The options; throws {@link IllegalArgumentException} if they contradict each other. */
        public LockOptions build() {
            if (maxHold.isPresent()) {
                Duration longest = maxHold.get();
                Options.notLonger("lease", lease.orElse(Duration.ZERO), "maxHold", longest);
                if (lease.isEmpty()) {
                    Options.notLonger("watchdogLease", watchdogLease, "maxHold", longest);
                }
            }
            return new LockOptions(this);
        }
    }
}
