package io.holdfast.lock.tests.models;

/** How often a slot changes its primary, in which way, and what else happens meanwhile. */
enum ChangeoverBounds implements Bounds {
    /** The slot is moved to the other server and back. */
    MOVED(1, false, 2, 1, 0, 1, 1),
    /** There and back, twice. */
    TWICE(1, false, 4, 1, 0, 2, 1),
    /** The other server replaces its primary, and is replaced; one of them may die. */
    REPLACED(1, true, 2, 1, 1, 1, 0),
    /** Two acquisitions, the second of which is asked for while the first may still be undone. */
    TWO(2, false, 2, 0, 0, 1, 0),
    LONG_REPLACED(1, true, 4, 1, 1, 1, 0),
    LONG_TWO(2, true, 2, 1, 0, 0, 0);

    final int acquisitions;

    /** Whether the slot may also change hands by a failover. */
    final boolean failovers;

    final int moves;
    final int breaks;
    final int deaths;

    /** How many old maps the client may read. */
    final int rumours;

    /** Re-entries. */
    final int entries;

    ChangeoverBounds(int acquisitions, boolean failovers, int moves, int breaks, int deaths, int rumours, int entries) {
        this.acquisitions = acquisitions;
        this.failovers = failovers;
        this.moves = moves;
        this.breaks = breaks;
        this.deaths = deaths;
        this.rumours = rumours;
        this.entries = entries;
    }
}
