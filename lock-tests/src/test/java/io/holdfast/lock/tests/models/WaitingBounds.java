package io.holdfast.lock.tests.models;

/** How much may happen to the waiters of one client, while a process elsewhere also takes the lock. */
enum WaitingBounds implements Bounds {
    CANCEL(2, 2, 1, 0, 0, 0, 0, 0),
    DROP(2, 2, 0, 1, 0, 0, 0, 0),
    TRANSFER(2, 1, 1, 0, 1, 1, 0, 0),
    DEADLINE(2, 1, 0, 0, 1, 0, 1, 1),
    LONG_THREE(3, 1, 1, 0, 0, 1, 0, 0),
    LONG_ALL(2, 2, 1, 1, 1, 1, 0, 0);

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
            int waiters, int others, int cancels, int drops, int losses, int ambiguities, int deadlines, int pauses) {
        this.waiters = waiters;
        this.others = others;
        this.cancels = cancels;
        this.drops = drops;
        this.losses = losses;
        this.ambiguities = ambiguities;
        this.deadlines = deadlines;
        this.pauses = pauses;
    }
}
