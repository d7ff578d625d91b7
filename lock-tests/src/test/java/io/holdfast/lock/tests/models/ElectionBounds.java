package io.holdfast.lock.tests.models;

/** How much may happen to an election with two candidates, one of which campaigns a second time, and one observer. */
enum ElectionBounds implements Bounds {
    LATE(2, 1, 1, 0, 0, 0),
    DROPPED(2, 1, 0, 1, 0, 0),
    AGAIN(3, 0, 0, 0, 0, 0),
    FORGETFUL(2, 0, 0, 1, 1, 0),
    FAILOVER(2, 0, 0, 0, 0, 1),
    LONG_LATE(2, 1, 2, 1, 0, 0),
    LONG_ALL(2, 1, 1, 0, 1, 1);

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

    ElectionBounds(int campaigns, int values, int reconnects, int drops, int restarts, int failovers) {
        this.campaigns = campaigns;
        this.values = values;
        this.reconnects = reconnects;
        this.drops = drops;
        this.restarts = restarts;
        this.failovers = failovers;
    }
}
