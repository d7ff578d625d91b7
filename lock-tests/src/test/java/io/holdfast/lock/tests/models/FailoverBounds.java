package io.holdfast.lock.tests.models;

/** How much may happen to a primary that Sentinels watch, and in how much time. */
enum FailoverBounds implements Bounds {
    ONE(2, 1, 0, 2, 1),
    BACK(2, 2, 0, 1, 1),
    RESTART(2, 1, 1, 2, 1),
    LONG_BACK(2, 2, 0, 2, 1),
    LONG_SILENCE(2, 1, 0, 2, 2),
    LONG_THREE(3, 2, 0, 1, 1);

    final int servers;
    final int failovers;
    final int restarts;

    /** The longest lease that a client may ask for, in ticks. */
    final int lease;

    /** For how long what a Sentinel said counts, in ticks. */
    final int silence;

    FailoverBounds(int servers, int failovers, int restarts, int lease, int silence) {
        this.servers = servers;
        this.failovers = failovers;
        this.restarts = restarts;
        this.lease = lease;
        this.silence = silence;
    }
}
