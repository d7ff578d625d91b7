package io.holdfast.lock.benchmarks.result;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Goal.Bound;
import java.util.Optional;

/** What became of a goal: the median of the rounds decides. */
public record Verdict(Goal goal, About workload, Optional<PeerKind> against, Spread measured) {

    public boolean isMet() {
        return goal.bound() == Bound.AT_LEAST ? measured.median() >= goal.limit() : measured.median() <= goal.limit();
    }

    /** By which part of the limit it is missed: 0.2 for 4 where 5 was the goal. Infinite where the limit is 0. */
    public double missing() {
        double beyond = measured.median() - goal.limit();
        return Math.max(0, goal.bound() == Bound.AT_LEAST ? -beyond : beyond) / goal.limit();
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
