package io.holdfast.lock.tests.models;

/** How much may happen to a primary that Sentinels watch, and in how much time. */
enum FailoverBounds implements Bounds {
    ONE(false, 2, 1, 0, 2, 1),
    BACK(false, 2, 2, 0, 1, 1),
    RESTART(false, 2, 1, 1, 2, 1),
    LONG_BACK(true, 2, 2, 0, 2, 1),
    LONG_SILENCE(true, 2, 1, 0, 2, 2),
    LONG_THREE(true, 3, 2, 0, 1, 1);

    private final boolean isLong;

    final int servers;
    final int failovers;
    final int restarts;

    /** The longest lease that a client may ask for, in ticks. */
    final int lease;

    /** For how long what a Sentinel said counts, in ticks. */
    final int silence;

    FailoverBounds(boolean isLong, int servers, int failovers, int restarts, int lease, int silence) {
        this.isLong = isLong;
        this.servers = servers;
        this.failovers = failovers;
        this.restarts = restarts;
        this.lease = lease;
        this.silence = silence;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
