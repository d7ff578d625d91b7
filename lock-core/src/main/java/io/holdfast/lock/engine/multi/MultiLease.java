package io.holdfast.lock.engine.multi;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.lock.EngineLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long the members of a MultiLock last.
 *
 * <p>What was taken first must last until the last is taken, however long that is. So a fixed lease is renewed while the
 * others are waited for; then every member gets the full lease, and renewal ends.
 *
 * @param asked the lease of the call
 */
record MultiLease(LeaseTerm asked) {

    /** The options of calls for all: no longer leases than any of the members allows. */
    static LockOptions common(List<EngineLock> members) {
        LockOptions.Builder common = members.get(0).options.toBuilder();
        Optional<Duration> longest = shortest(members.stream().map(member -> member.options.maxHold()));
        longest.ifPresent(common::maxHold);
        Stream<Optional<Duration>> fixed = members.stream().map(member -> member.options.lease());
        shortest(fixed)
                .ifPresent(lease -> common.lease(
                        longest.filter(most -> most.compareTo(lease) < 0).orElse(lease)));
        shortest(members.stream().map(member -> Optional.of(member.options.watchdogLease())))
                .ifPresent(common::watchdogLease);
        return common.build();
    }

    private static Optional<Duration> shortest(Stream<Optional<Duration>> all) {
        return all.flatMap(Optional::stream).min(Duration::compareTo);
    }

    boolean isFixed() {
        return !asked.watched();
    }

    long millis() {
        return asked.millis();
    }

    /** What a member is taken with: a lease that the watchdog renews, and long enough for that. */
    LeaseTerm collecting(LockOptions options) {
        if (asked.watched()) {
            return LeaseTerm.of(LeaseTerm.WATCHDOG, TimeUnit.MILLISECONDS, options);
        }
        Duration renewed = renewed();
        Duration longest = options.maxHold().orElse(renewed);
        return new LeaseTerm(Math.min(renewed.toMillis(), longest.toMillis()), true);
    }

    /** The options that a member is taken with: its own, and the watchdog renews the lease that was asked for. */
    LockOptions collectingOptions(LockOptions options) {
        if (asked.watched()) {
            return options;
        }
        return options.toBuilder()
                .lease(Duration.ofMillis(asked.millis()))
                .watchdogLease(renewed())
                .build();
    }

    private Duration renewed() {
        Duration fixed = Duration.ofMillis(asked.millis());
        return fixed.compareTo(LockOptions.MIN_WATCHDOG_LEASE) < 0 ? LockOptions.MIN_WATCHDOG_LEASE : fixed;
    }
}
