package io.holdfast.lock.tests.simulation;

import java.util.Locale;

/** What goes wrong, and which of the assumptions behind the promises it breaks. */
enum FaultKind {
    SLOW_NETWORK,
    STALLED_REQUESTS,
    STALLED_ANSWERS,
    CUT_CONNECTION,
    STALL_AND_CUT,
    PARTITION,
    CUT_MESSAGES,
    MESSY_MESSAGES,
    SLOW_SERVER,
    STOPPED_SERVER,
    BUSY_SERVER,
    FULL_SERVER,
    DEMOTED_SERVER,
    FLUSHED_SCRIPTS,
    RESTART_WITH_DATA,
    PAUSED_CLIENT,
    CRASHED_CLIENT,
    CLOSED_CLIENT,
    /** Keys live longer; nobody is let in too early. */
    CLOCK_STEP_BACK(Assumption.NONE),
    SUSPENDED_CLIENT(Assumption.A1),
    CLOCK_STEP_AHEAD(Assumption.A1),
    FAST_CLOCK(Assumption.A1),
    RESTART_WITHOUT_DATA(Assumption.A2),
    RESTART_FROM_SNAPSHOT(Assumption.A2),
    EVICTION(Assumption.A2),
    PROMOTION(Assumption.A2);

    /** What the promise of exclusion rests on; see {@code docs/promises.md}. */
    enum Assumption {
        NONE,
        /** Clocks drift at most 1 %, and the server's does not step. */
        A1,
        /** Granted keys survive. */
        A2
    }

    final Assumption breaks;

    FaultKind() {
        this(Assumption.NONE);
    }

    FaultKind(Assumption breaks) {
        this.breaks = breaks;
    }

    /** Whether it goes wrong everywhere, and not just in the climates that name it. */
    boolean isUsual() {
        return this != RESTART_FROM_SNAPSHOT;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
