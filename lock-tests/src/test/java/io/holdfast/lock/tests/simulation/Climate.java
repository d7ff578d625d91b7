package io.holdfast.lock.tests.simulation;

import java.time.Duration;
import java.util.List;

/**
 * What the world of a workload is like: how far away the servers are, whether messages arrive, how long leases may last,
 * how many locks there are to choose from, and what may go wrong.
 *
 * @param far whether every packet takes its time, so that much is on its way at once
 * @param deaf whether all messages are lost
 * @param kinds what may go wrong; empty for anything
 */
record Climate(boolean far, boolean deaf, long longestLeaseMillis, int locks, List<FaultKind> kinds) {

    /** Whether the clocks of several servers may be minutes apart: not where one is left out for so long every time. */
    boolean clocksAreApart() {
        return !kinds.contains(FaultKind.RESTART_WITHOUT_DATA);
    }

    /** How far ahead of a server's clock the tokens of a lock over several servers may be. */
    Duration clockMargin() {
        return kinds.isEmpty() ? Duration.ofMinutes(10) : Duration.ofMinutes(1);
    }

    /** The shortest lease that is of use: one that does not end on its way to the owner. */
    long shortestLeaseMillis() {
        return far ? 150 : 10;
    }

    static final Climate USUAL = new Climate(false, false, 5_000, 2, List.of());

    Climate withFarServers() {
        return new Climate(true, deaf, longestLeaseMillis, locks, kinds);
    }

    Climate withoutMessages() {
        return new Climate(far, true, longestLeaseMillis, locks, kinds);
    }

    Climate withLeasesUpTo(long mostMillis) {
        return new Climate(far, deaf, mostMillis, locks, kinds);
    }

    Climate withOneLock() {
        return new Climate(far, deaf, longestLeaseMillis, 1, kinds);
    }

    Climate withOnly(FaultKind... these) {
        return new Climate(far, deaf, longestLeaseMillis, locks, List.of(these));
    }
}
