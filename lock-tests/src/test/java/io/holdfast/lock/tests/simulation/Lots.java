package io.holdfast.lock.tests.simulation;

import java.time.Duration;

/** What owners draw by lot. */
final class Lots {

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

    /** How long an owner waits for a lock. */
    Duration patience() {
        int lot = chance.below(4);
        return Duration.ofMillis(lot == 0 ? 0 : lot == 1 ? chance.below(50) : chance.below(4_000));
    }
}
