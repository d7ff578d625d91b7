package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to a RedLock. One kind of trouble at a time; all of it together is for the long suites. */
enum RedLockBounds implements Bounds {
    LOSS(1, List.of(2, 1), 0, 1, 0),
    RENEWAL(2, List.of(1, 1), 1, 0, 0),
    RESTART(2, List.of(1, 1), 0, 0, 1),
    LONG_LOSS(2, List.of(2, 1), 0, 1, 0),
    LONG_RENEWAL(2, List.of(1, 1), 1, 1, 0),
    LONG_RESTART(2, List.of(1, 1), 1, 0, 1);

    /** In ticks. */
    final int lease;

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    /** For each client. */
    final int renewals;

    final int losses;
    final int restarts;

    RedLockBounds(int lease, List<Integer> rounds, int renewals, int losses, int restarts) {
        this.lease = lease;
        this.rounds = rounds;
        this.renewals = renewals;
        this.losses = losses;
        this.restarts = restarts;
    }
}
