package io.holdfast.lock.benchmarks.result;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Goal.Bound;
import java.util.Optional;

/** What became of a goal: the median of the rounds decides. */
public record Verdict(Goal goal, About workload, Optional<PeerKind> against, Spread measured) {

    public boolean isMet() {
        return goal.bound() == Bound.AT_LEAST ? measured.median() >= goal.limit() : measured.median() <= goal.limit();
    }

    /** How many times better than the limit; below 1 it is missed. Infinite where nothing was left to improve. */
    public double margin() {
        double better = goal.bound() == Bound.AT_LEAST ? measured.median() : goal.limit();
        double worse = goal.bound() == Bound.AT_LEAST ? goal.limit() : measured.median();
        return worse == 0 ? Double.POSITIVE_INFINITY : better / worse;
    }

    /** Whether every round agrees with the median. */
    public boolean isClear() {
        double worst = goal.bound() == Bound.AT_LEAST ? measured.least() : measured.most();
        double best = goal.bound() == Bound.AT_LEAST ? measured.most() : measured.least();
        return isMet()
                ? new Verdict(goal, workload, against, new Spread(worst, worst, worst, 1)).isMet()
                : !new Verdict(goal, workload, against, new Spread(best, best, best, 1)).isMet();
    }
}
