package io.holdfast.lock.tests.models;

import java.util.List;

/** Whose time is ahead when a slot is moved, what is in it before, and what else happens. */
enum MoveBounds implements Bounds {
    /** The target's time is behind the source's. */
    BEHIND(List.of(1, 1), 3, 0, 1, 0, 1, 0, 1, 0),
    /** It is ahead. */
    AHEAD(List.of(1, 1), 0, 3, 1, 0, 1, 0, 1, 0),
    /** The move may be called off, and begin again. */
    RECALLED(List.of(1, 1), 2, 0, 0, 0, 1, 0, 1, 1),
    /** Requests may be left behind in the socket of a connection that broke, and be executed at any later time. */
    UNFENCED(List.of(1, 1), 2, 0, 0, 1, 1, 1, 0, 0),
    LONG_BEHIND(List.of(2, 1), 3, 0, 1, 1, 2, 0, 1, 1),
    LONG_AHEAD(List.of(2, 1), 0, 3, 1, 1, 2, 0, 1, 1);

    /** For each client, how often it takes the lock. */
    final List<Integer> rounds;

    /** The time of each server at the start. */
    final int sourceTime;

    final int targetTime;

    /** How often the time of both servers advances. */
    final int ticks;

    /** The token clock at the start; 0 if there is none. */
    final int clock;

    /** Answers that get lost. */
    final int losses;

    /** Requests that are left behind. */
    final int copies;

    final int crashes;

    /** Moves that are called off. */
    final int recalls;

    MoveBounds(
            List<Integer> rounds,
            int sourceTime,
            int targetTime,
            int ticks,
            int clock,
            int losses,
            int copies,
            int crashes,
            int recalls) {
        this.rounds = rounds;
        this.sourceTime = sourceTime;
        this.targetTime = targetTime;
        this.ticks = ticks;
        this.clock = clock;
        this.losses = losses;
        this.copies = copies;
        this.crashes = crashes;
        this.recalls = recalls;
    }

    boolean isFenced() {
        return copies == 0;
    }
}
