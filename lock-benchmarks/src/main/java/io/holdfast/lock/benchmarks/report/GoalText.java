package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Goal;
import io.holdfast.lock.benchmarks.result.Goal.Bound;
import io.holdfast.lock.benchmarks.result.Verdict;

/** A goal and what became of it, in words. */
record GoalText(Verdict verdict) {

    /** A part of the limit that is hardly anything. */
    private static final double HARDLY = 0.005;

    String what() {
        return verdict.workload().title() + ": " + verdict.goal().metric().title();
    }

    String against() {
        return verdict.against().map(PeerKind::shortTitle).orElse("");
    }

    String goal() {
        Goal goal = verdict.goal();
        String limit = goal.isRatio() ? Text.exact(goal.limit()) + "x" : Text.withUnit(goal.limit(), goal.metric());
        if (goal.bound() == Bound.AT_MOST && goal.limit() == 0) {
            return "none";
        }
        return (goal.bound() == Bound.AT_LEAST ? ">= " : "<= ") + limit;
    }

    String measured() {
        return verdict.goal().isRatio()
                ? Text.ratio(verdict.measured())
                : Text.median(verdict.measured())
                        + (verdict.goal().metric().unit().isEmpty()
                                ? ""
                                : " " + verdict.goal().metric().unit());
    }

    String range() {
        return Text.range(verdict.measured());
    }

    /** {@code met}, or {@code missed by 23 %} of the goal; with a remark if not all rounds agree. */
    String outcome() {
        String outcome = verdict.isMet() ? "met" : "missed" + byHowMuch(verdict.missing());
        return verdict.isClear() ? outcome : outcome + ", not in every round";
    }

    private static String byHowMuch(double missing) {
        if (!Double.isFinite(missing)) {
            return "";
        }
        return missing < HARDLY ? " by a hair" : " by " + Text.exact(Math.rint(missing * 100)) + " %";
    }
}
