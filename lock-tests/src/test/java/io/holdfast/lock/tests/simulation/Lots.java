package io.holdfast.lock.tests.simulation;

import java.time.Duration;

/** What owners draw by lot. */
final class Lots {

    static final long LONGEST_LEASE_MILLIS = 5_000;

    final Chance chance;

    Lots(Chance chance) {
        this.chance = chance;
    }

    Duration lease() {
        int lot = chance.below(4);
        return Duration.ofMillis(
                lot == 0
                        ? chance.between(10, 60)
                        : lot == 1 ? chance.between(60, 500) : chance.between(500, LONGEST_LEASE_MILLIS));
    }

    /** How long an owner waits for a lock. */
    Duration patience() {
        int lot = chance.below(4);
        return Duration.ofMillis(lot == 0 ? 0 : lot == 1 ? chance.below(50) : chance.below(4_000));
    }
}
