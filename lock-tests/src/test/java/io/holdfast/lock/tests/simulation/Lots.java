package io.holdfast.lock.tests.simulation;

import java.time.Duration;

/** What owners draw by lot. */
final class Lots {

    private static final long MILLI = 1_000_000;
    private static final int LONGEST_PATIENCE_MILLIS = 4_000;
    /** The longest that an owner waits for a lock, if not without a limit. */
    static final long LONGEST_PATIENCE_NANOS = LONGEST_PATIENCE_MILLIS * MILLI;

    private static final int SHORT_PATIENCE_MILLIS = 800;

    private static final long SHORTLY_NANOS = 25 * MILLI;

    final Chance chance;
    private final Climate climate;

    Lots(Climate climate, Chance chance) {
        this.climate = climate;
        this.chance = chance;
    }

    Duration lease() {
        int lot = chance.below(4);
        long shortest = climate.shortestLeaseMillis();
        return Duration.ofMillis(
                lot == 0
                        ? chance.between(shortest, shortest + 50)
                        : lot == 1
                                ? chance.between(shortest + 50, shortest + 490)
                                : chance.between(500, climate.longestLeaseMillis()));
    }

    /** Whether an owner whose release has failed asks for the lock again at once. */
    boolean insists() {
        return climate.impatient() && chance.onceIn(2);
    }

    /** How long an owner waits for a lock. */
    Duration patience() {
        int lot = chance.below(4);
        int longest = climate.hasty() ? SHORT_PATIENCE_MILLIS : LONGEST_PATIENCE_MILLIS;
        return Duration.ofMillis(lot == 0 ? 0 : lot == 1 ? chance.below(50) : chance.below(longest));
    }

    /** For how long an owner keeps a lock by itself; negative if it waits for the lot, or for its lease to end. */
    long keepsNanos() {
        int lot = chance.below(10);
        if (climate.brisk()) {
            return chance.below(SHORTLY_NANOS);
        }
        if (climate.forceful() && !climate.hasty()) {
            return chance.below(150 * MILLI);
        }
        if (climate.clinging()) {
            return chance.between(500 * MILLI, 4_000 * MILLI);
        }
        if (lot < 5) {
            return chance.below(lot < 3 ? 2 * MILLI : 100 * MILLI);
        }
        return lot < 7 ? chance.below(3_000 * MILLI) : -1;
    }
}
