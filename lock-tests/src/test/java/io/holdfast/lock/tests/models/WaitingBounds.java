package io.holdfast.lock.tests.models;

/** How much may happen to the waiters of one client, while a process elsewhere also takes the lock. */
enum WaitingBounds implements Bounds {
    CANCEL(false, 2, 2, 1, 0, 0, 0, 0, 0),
    DROP(false, 2, 2, 0, 1, 0, 0, 0, 0),
    TRANSFER(false, 2, 1, 1, 0, 1, 1, 0, 0),
    DEADLINE(false, 2, 1, 0, 0, 1, 0, 1, 1),
    LONG_THREE(true, 3, 1, 1, 0, 0, 1, 0, 0),
    LONG_ALL(true, 2, 2, 1, 1, 1, 1, 0, 0);

    private final boolean isLong;
    final int waiters;

    /** How often the other process takes the lock; the first time is before the start. */
    final int others;

    final int cancels;

    /** Of the connection that brings messages. */
    final int drops;

    /** Keys that the server loses. */
    final int losses;

    /** Transfers whose answer is lost. */
    final int ambiguities;

    /** Waits that end. */
    final int deadlines;

    /** How often as much time passes as what was seen is trusted for. */
    final int pauses;

    WaitingBounds(
            boolean isLong,
            int waiters,
            int others,
            int cancels,
            int drops,
            int losses,
            int ambiguities,
            int deadlines,
            int pauses) {
        this.isLong = isLong;
        this.waiters = waiters;
        this.others = others;
        this.cancels = cancels;
        this.drops = drops;
        this.losses = losses;
        this.ambiguities = ambiguities;
        this.deadlines = deadlines;
        this.pauses = pauses;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
