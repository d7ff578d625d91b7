package io.holdfast.lock.tests.models;

/** How much may happen to an election over three nodes, with one observer. */
enum NodeElectionBounds implements Bounds {
    SPLIT(2, 0),
    LONG_RESTART(2, 1);

    /** Each of a candidate of its own. */
    final int campaigns;

    /** Of nodes, without their data. */
    final int restarts;

    NodeElectionBounds(int campaigns, int restarts) {
        this.campaigns = campaigns;
        this.restarts = restarts;
    }
}
