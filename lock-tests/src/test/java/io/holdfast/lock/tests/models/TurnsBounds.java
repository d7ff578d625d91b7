package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to three clients that release a lock for each other. */
enum TurnsBounds implements Bounds {
    /** Everything may be late. */
    LATE(true, List.of(2, 1, 1), 1, 0, 0, 0, 0, 0, false),
    QUIET(false, List.of(2, 2, 1), 2, 0, 0, 0, 0, 0, false),
    /** A client dies at any time, also with a reservation. */
    DEAD(false, List.of(2, 2, 1), 2, 1, 0, 0, 0, 0, false),
    /** A message gets lost. */
    LOSS(false, List.of(2, 2, 1), 2, 0, 1, 0, 0, 0, false),
    FORCE(false, List.of(2, 2, 1), 2, 0, 0, 1, 0, 0, false),
    /** A fair call of the same name comes. */
    FAIR(false, List.of(2, 2, 1), 1, 0, 0, 0, 1, 0, false),
    /** A call does not wait any more. */
    LEAVING(false, List.of(2, 2, 1), 2, 0, 0, 0, 0, 1, false),
    /** The first client is far away. */
    FAR(false, List.of(2, 2, 1), 1, 0, 0, 0, 0, 0, true),
    LONG_QUIET(false, List.of(2, 2, 2), 2, 0, 0, 0, 0, 0, false);

    /** Whether time passes while something is on its way. */
    final boolean isLate;

    /** Of each client. */
    final List<Integer> calls;

    /** How many turns may go astray; without a limit there is no end of states. */
    final int upsets;

    final int deaths;

    /** Of messages. */
    final int losses;

    final int forces;

    /** Fair calls. */
    final int fair;

    /** Calls that do not wait any more. */
    final int leaving;

    /** Whether the requests of the first client take a tick. */
    final boolean far;

    TurnsBounds(
            boolean isLate,
            List<Integer> calls,
            int upsets,
            int deaths,
            int losses,
            int forces,
            int fair,
            int leaving,
            boolean far) {
        this.isLate = isLate;
        this.calls = calls;
        this.upsets = upsets;
        this.deaths = deaths;
        this.losses = losses;
        this.forces = forces;
        this.fair = fair;
        this.leaving = leaving;
        this.far = far;
    }
}
