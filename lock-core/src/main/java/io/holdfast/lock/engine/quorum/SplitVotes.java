package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.step.Contention;
import io.holdfast.lock.engine.step.Outcome;
import java.util.concurrent.TimeUnit;

/**
 * How often requests to several nodes have lately ended without a winner.
 *
 * <p>When several clients ask at once, each may get some nodes and none of them a majority. All give back what they got and
 * ask again after a random pause, which grows while that goes on. Belongs to the cell's steps.
 */
final class SplitVotes implements Contention {

    private static final int HIGHEST = 9;
    private static final int HIGHEST_SPREAD = 4;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LONGEST_DEAFNESS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Quorum quorum;
    private int level;
    /** Whether messages are not listened to for a while. */
    private boolean deaf;
    /** Until when they are not. */
    private long deafUntilNanos;

    SplitVotes(Quorum quorum) {
        this.quorum = quorum;
    }

    @Override
    public void decided() {
        level = Math.max(0, level - 1);
    }

    @Override
    public boolean splits(Outcome.Refused refused) {
        if (!refused.undecided()) {
            decided();
        }
        return refused.undecided();
    }

    @Override
    public long pauseNanos() {
        level = Math.min(HIGHEST, level + 1);
        long longest = Math.min(LONGEST_PAUSE_NANOS, quorum.roundNanos() << level);
        long pauseNanos = 1 + quorum.facts.runtime().random(longest);
        deaf = true;
        deafUntilNanos = quorum.facts.runtime().nanos() + Math.min(pauseNanos, LONGEST_DEAFNESS_NANOS);
        return pauseNanos;
    }

    @Override
    public boolean isDeaf() {
        deaf = deaf && quorum.facts.runtime().nanos() - deafUntilNanos < 0;
        return deaf;
    }

    @Override
    public long spreadNanos() {
        return level == 0 ? 0 : quorum.facts.runtime().random(quorum.roundNanos() << Math.min(level, HIGHEST_SPREAD));
    }
}
