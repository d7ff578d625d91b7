package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to clients that take a lock of three nodes from each other. */
enum NodeTurnsBounds implements Bounds {
    /** Two want it at once, and again. */
    TWO(false, List.of(2, 1, 0), 1, 0),
    /** One has it, and two come. */
    HELD(true, List.of(0, 1, 1), 1, 0),
    /** A client dies at any time, also with a reservation. */
    DEAD(false, List.of(2, 1, 0), 2, 1);

    /** Whether the first client has the lock when it begins. */
    final boolean isHeld;

    /** Of each client. */
    final List<Integer> calls;

    /** How many reservations may end unused. */
    final int lapses;

    final int deaths;

    NodeTurnsBounds(boolean isHeld, List<Integer> calls, int lapses, int deaths) {
        this.isHeld = isHeld;
        this.calls = calls;
        this.lapses = lapses;
        this.deaths = deaths;
    }
}
