package io.holdfast.lock.tests.models;

/** How much may happen to a latch that is counted down by several clients, and awaited by one. */
enum LatchBounds implements Bounds {
    FENCED(2, 2, 2, true, 1, 0, 0),
    UNFENCED(3, 2, 1, false, 0, 0, 0),
    FORGETFUL(2, 2, 1, false, 1, 1, 0),
    DELETED(2, 2, 1, false, 1, 0, 1),
    LONG_THREE(3, 3, 2, false, 1, 0, 0),
    LONG_ALL(2, 3, 2, false, 1, 1, 1);

    /** What a latch is set to. */
    static final int COUNT = 2;

    /** Each of a client of its own. */
    final int calls;

    /** How often the latch is set. */
    final int sets;

    /** Connections of those who count that break. */
    final int reconnects;

    /** Whether a new connection ends the old one first. */
    final boolean fenced;

    /** Of the connection that brings messages. */
    final int drops;

    /** Restarts without data. */
    final int restarts;

    final int deletions;

    LatchBounds(int calls, int sets, int reconnects, boolean fenced, int drops, int restarts, int deletions) {
        this.calls = calls;
        this.sets = sets;
        this.reconnects = reconnects;
        this.fenced = fenced;
        this.drops = drops;
        this.restarts = restarts;
        this.deletions = deletions;
    }
}
