package io.holdfast.lock.tests.models;

/** How much may happen to an election over three nodes, with one observer. */
enum NodeElectionBounds implements Bounds {
    SPLIT(false, 2, 0),
    LONG_RESTART(true, 2, 1);

    private final boolean isLong;

    /** Each of a candidate of its own. */
    final int campaigns;

    /** Of nodes, without their data. */
    final int restarts;

    NodeElectionBounds(boolean isLong, int campaigns, int restarts) {
        this.isLong = isLong;
        this.campaigns = campaigns;
        this.restarts = restarts;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
