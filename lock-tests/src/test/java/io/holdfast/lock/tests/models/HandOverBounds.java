package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to a lock that a client hands on among its own calls. */
enum HandOverBounds implements Bounds {
    QUIET(false, 2, List.of(3, 3, 3), 2, 0, 0, 0, 0, 0, 0),
    /** A call does not wait any more. */
    CANCEL(false, 1, List.of(2, 2, 2), 1, 1, 0, 0, 0, 0, 0),
    /** Calls of two leases. */
    LEASES(false, 1, List.of(3, 3, 1), 1, 0, 0, 0, 0, 0, 0),
    /** The connection breaks, and what was answered gets lost. */
    DROP(false, 1, List.of(2, 2, 2, 2), 1, 0, 1, 0, 0, 0, 0),
    /** The key is deleted: by force, or evicted. */
    DELETED(false, 1, List.of(2, 2, 2), 1, 0, 0, 1, 0, 0, 0),
    /** The server is restarted without its data. */
    RESTART(false, 1, List.of(2, 2, 2), 1, 0, 0, 0, 1, 0, 0),
    /** Holds that are renewed. */
    WATCHED(true, 1, List.of(3, 3), 1, 0, 0, 0, 0, 1, 0),
    WATCHED_DELETED(true, 1, List.of(3, 3), 1, 0, 0, 1, 0, 1, 0),
    /** The same, and no rival that would notice. */
    WATCHED_ALONE(true, 2, List.of(4, 4, 4), 0, 0, 0, 1, 0, 1, 0),
    WATCHED_RESTART(true, 1, List.of(3, 3), 1, 0, 0, 0, 1, 0, 0),
    /** The slot is being moved while the lock is acquired: the keys are at two servers, and its token is minted for itself. */
    MOVING(false, 1, List.of(2, 2), 1, 0, 1, 0, 0, 0, 1),
    LONG_QUIET(false, 2, List.of(3, 3, 3, 3), 3, 1, 0, 0, 0, 0, 0),
    LONG_DROPS(false, 1, List.of(2, 2, 2, 2), 2, 0, 2, 0, 0, 0, 1);

    /** Whether the lock is renewed. */
    final boolean isWatched;

    /**
     * How many ticks a grant may be handed on after the send of the request that was answered; and a turn, once the client knows that
     * others wait.
     */
    final int window;

    /** The lease of each call, in ticks. */
    final List<Integer> leases;

    /** How often the rival takes the lock. */
    final int rivals;

    final int cancels;

    /** Of the client's connection. */
    final int drops;

    /** Of the key, by others. */
    final int deletions;

    /** Of the server, without its data. */
    final int restarts;

    final int renewals;

    /** Acquires that are executed key by key. */
    final int steps;

    HandOverBounds(
            boolean isWatched,
            int window,
            List<Integer> leases,
            int rivals,
            int cancels,
            int drops,
            int deletions,
            int restarts,
            int renewals,
            int steps) {
        this.isWatched = isWatched;
        this.window = window;
        this.leases = leases;
        this.rivals = rivals;
        this.cancels = cancels;
        this.drops = drops;
        this.deletions = deletions;
        this.restarts = restarts;
        this.renewals = renewals;
        this.steps = steps;
    }
}
