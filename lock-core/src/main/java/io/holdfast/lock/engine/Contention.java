package io.holdfast.lock.engine;

import java.util.concurrent.TimeUnit;

/**
 * How often requests to several nodes have lately ended without a winner.
 *
 * <p>When several clients ask at once, each may get some nodes and nobody a majority. All give back what they got and
 * ask again after a random pause, which grows while that goes on. Belongs to the cell's steps.
 */
final class Contention {

    private static final int HIGHEST = 9;
    private static final int HIGHEST_SPREAD = 4;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LONGEST_DEAFNESS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Engine engine;
    private int level;
    /** Whether messages are not listened to for a while. */
    private boolean deaf;
    /** Until when they are not. */
    private long deafUntilNanos;

    Contention(Engine engine) {
        this.engine = engine;
    }

    /** Somebody has a majority. */
    void decided() {
        level = Math.max(0, level - 1);
    }

    /** Nobody has a majority: how long to wait before asking again. */
    long pauseNanos() {
        level = Math.min(HIGHEST, level + 1);
        long longest = Math.min(LONGEST_PAUSE_NANOS, engine.quorum().roundNanos() << level);
        long pauseNanos = 1 + engine.runtime().random(longest);
        deaf = true;
        deafUntilNanos = engine.runtime().nanos() + Math.min(pauseNanos, LONGEST_DEAFNESS_NANOS);
        return pauseNanos;
    }

    /** Whether messages that come now are the others' giving way, and not a reason to ask. */
    boolean isDeaf() {
        deaf = deaf && engine.runtime().nanos() - deafUntilNanos < 0;
        return deaf;
    }

    /** How long the head of the queue waits after a message, so that clients which all heard it do not collide. */
    long spreadNanos() {
        return level == 0
                ? 0
                : engine.runtime().random(engine.quorum().roundNanos() << Math.min(level, HIGHEST_SPREAD));
    }
}
