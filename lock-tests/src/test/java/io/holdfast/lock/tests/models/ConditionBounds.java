package io.holdfast.lock.tests.models;

/** How much may happen to calls that await a condition, and to one owner that signals. */
enum ConditionBounds implements Bounds {
    SIGNALS(2, 2, 0, true, 0, 0, 0, 0, 0),
    FENCED(2, 1, 1, true, 1, 0, 0, 0, 0),
    UNFENCED(2, 2, 1, false, 1, 0, 0, 1, 0),
    ABSENT(2, 1, 0, true, 1, 1, 1, 0, 0),
    FORGETFUL(2, 1, 1, true, 1, 0, 0, 0, 1),
    LATE(2, 1, 0, true, 0, 0, 0, 1, 0),
    LONG_THREE(3, 2, 0, true, 1, 0, 0, 0, 0),
    LONG_ALL(2, 1, 1, false, 1, 1, 0, 1, 0);

    /** Calls that await, each of a client of its own. */
    final int calls;

    /** Each under a hold of its own, and each for one more item. */
    final int signals;

    /** Connections that break. */
    final int reconnects;

    /** Whether a new connection ends the old one first. */
    final boolean fenced;

    final int timeOuts;

    final int crashes;

    /** Of clients that live and are not heard for a while. */
    final int absences;

    /** Claim windows that a living client misses. */
    final int windows;

    /** Restarts without data. */
    final int restarts;

    ConditionBounds(
            int calls,
            int signals,
            int reconnects,
            boolean fenced,
            int timeOuts,
            int crashes,
            int absences,
            int windows,
            int restarts) {
        this.calls = calls;
        this.signals = signals;
        this.reconnects = reconnects;
        this.fenced = fenced;
        this.timeOuts = timeOuts;
        this.crashes = crashes;
        this.absences = absences;
        this.windows = windows;
        this.restarts = restarts;
    }
}
