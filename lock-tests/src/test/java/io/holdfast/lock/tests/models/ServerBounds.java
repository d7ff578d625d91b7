package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Set;

/** How much may happen with a lock on one server. All but rounds is for the first client; the other just locks. */
enum ServerBounds implements Bounds {
    QUIET(List.of(2, 1), 1, 1, 1, 0, true, 0),
    RECONNECT(List.of(1, 1), 1, 0, 1, 1, true, 0),
    UNFENCED(List.of(2, 1), 0, 1, 0, 1, false, 0),
    FORGETFUL(List.of(1, 1), 0, 1, 0, 0, true, 1),
    LONG_RECONNECT(List.of(2, 1), 1, 1, 1, 2, true, 0);

    static final int LEASE = 2;

    /** For each client how many acquisitions it may start. */
    final List<Integer> rounds;

    final int entries;
    final int renewals;
    final int transfers;
    final int reconnects;

    /** Whether the server's access rules allow the fence. */
    final boolean fenced;

    /** Restarts without data. */
    final int restarts;

    ServerBounds(
            List<Integer> rounds,
            int entries,
            int renewals,
            int transfers,
            int reconnects,
            boolean fenced,
            int restarts) {
        this.rounds = rounds;
        this.entries = entries;
        this.renewals = renewals;
        this.transfers = transfers;
        this.reconnects = reconnects;
        this.fenced = fenced;
        this.restarts = restarts;
    }

    /** What is promised: an orphan only where there is a fence, one holder only where nothing is forgotten. */
    Set<String> promised() {
        if (restarts > 0) {
            return Set.of(ServerModel.NO_ORPHAN, ServerModel.NO_REVIVAL);
        }
        return fenced
                ? Set.of(ServerModel.ONE_HOLDER, ServerModel.NO_ORPHAN, ServerModel.NO_REVIVAL)
                : Set.of(ServerModel.ONE_HOLDER, ServerModel.NO_REVIVAL);
    }
}
