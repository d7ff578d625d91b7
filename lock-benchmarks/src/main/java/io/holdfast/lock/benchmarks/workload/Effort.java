package io.holdfast.lock.benchmarks.workload;

import java.util.List;

/**
 * How long everything is measured.
 *
 * @param rounds how often each peer has its turn
 * @param roundMillis how long a turn lasts
 * @param warmUpMillis how long a peer runs before the first round of a workload
 * @param firstWarmUpMillis the same, when the peer has done nothing of the kind yet
 * @param watchdogLeaseMillis the lease of holds whose renewal is measured
 * @param watchedWarmUpPeriods for how many periods, thirds of that lease, they are renewed before that is measured
 * @param watchedPeriods for how many periods it is measured
 * @param costlyRounds how often what takes many seconds is done
 * @param scale divides the numbers of locks and processes, for a smoke test; 1 otherwise
 * @param complete whether curves have all their points, and what differs only in size is measured in every size
 */
public record Effort(
        int rounds,
        long roundMillis,
        long warmUpMillis,
        long firstWarmUpMillis,
        long watchdogLeaseMillis,
        int watchedWarmUpPeriods,
        int watchedPeriods,
        int costlyRounds,
        int scale,
        boolean complete) {

    /** For figures to be relied on: about half an hour. */
    public static Effort full() {
        return new Effort(7, 1_000, 1_000, 6_000, 30_000, 2, 3, 2, 1, true);
    }

    /** For a look: less than three minutes. */
    public static Effort quick() {
        return new Effort(3, 150, 150, 500, 10_000, 0, 3, 1, 1, false);
    }

    /** For a test: everything once, and no figure that means anything. */
    public static Effort moment() {
        return new Effort(1, 20, 10, 10, 600, 0, 1, 1, 1_000, false);
    }

    /** Options of other JVMs: those of a moment are to start quickly, and need not become fast. */
    List<String> childOptions() {
        return scale == 1 ? List.of() : List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    public Effort withRounds(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("rounds: " + number + " (expected: >= 1)");
        }
        return new Effort(
                number,
                roundMillis,
                warmUpMillis,
                firstWarmUpMillis,
                watchdogLeaseMillis,
                watchedWarmUpPeriods,
                watchedPeriods,
                Math.min(number, costlyRounds),
                scale,
                complete);
    }
}
