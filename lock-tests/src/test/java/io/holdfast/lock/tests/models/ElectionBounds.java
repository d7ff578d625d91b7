package io.holdfast.lock.tests.models;

/** How much may happen to an election with two candidates, one of which campaigns a second time, and one observer. */
enum ElectionBounds implements Bounds {
    LATE(false, 2, 1, 1, 0, 0, 0),
    DROPPED(false, 2, 1, 0, 1, 0, 0),
    AGAIN(false, 3, 0, 0, 0, 0, 0),
    FORGETFUL(false, 2, 0, 0, 1, 1, 0),
    FAILOVER(false, 2, 0, 0, 0, 0, 1),
    LONG_LATE(true, 2, 1, 2, 1, 0, 0),
    LONG_ALL(true, 2, 1, 1, 0, 1, 1);

    private final boolean isLong;

    /** Campaigns: of the one candidate, of the other, and of the first again. */
    final int campaigns;

    /** How often a leader sets its value. */
    final int values;

    /** Connections of candidates that break; nothing ends the old one first. */
    final int reconnects;

    /** Of the connection that brings messages. */
    final int drops;

    /** Restarts without data. */
    final int restarts;

    /** To a replica that has not heard of the latest. */
    final int failovers;

    ElectionBounds(boolean isLong, int campaigns, int values, int reconnects, int drops, int restarts, int failovers) {
        this.isLong = isLong;
        this.campaigns = campaigns;
        this.values = values;
        this.reconnects = reconnects;
        this.drops = drops;
        this.restarts = restarts;
        this.failovers = failovers;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
