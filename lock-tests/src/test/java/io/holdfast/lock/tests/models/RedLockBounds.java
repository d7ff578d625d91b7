package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to a RedLock. One kind of trouble at a time; all of it together is for the long suites. */
enum RedLockBounds implements Bounds {
    LOSS(false, 1, List.of(2, 1), 0, 1, 0),
    RENEWAL(false, 2, List.of(1, 1), 1, 0, 0),
    RESTART(false, 2, List.of(1, 1), 0, 0, 1),
    LONG_LOSS(true, 2, List.of(2, 1), 0, 1, 0),
    LONG_RENEWAL(true, 2, List.of(1, 1), 1, 1, 0),
    LONG_RESTART(true, 2, List.of(1, 1), 1, 0, 1);

    private final boolean isLong;

    /** In ticks. */
    final int lease;

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    /** For each client. */
    final int renewals;

    final int losses;
    final int restarts;

    RedLockBounds(boolean isLong, int lease, List<Integer> rounds, int renewals, int losses, int restarts) {
        this.isLong = isLong;
        this.lease = lease;
        this.rounds = rounds;
        this.renewals = renewals;
        this.losses = losses;
        this.restarts = restarts;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
