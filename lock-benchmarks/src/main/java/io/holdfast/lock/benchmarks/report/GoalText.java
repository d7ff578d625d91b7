package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Goal;
import io.holdfast.lock.benchmarks.result.Goal.Bound;
import io.holdfast.lock.benchmarks.result.Verdict;

/** A goal and what became of it, in words. */
record GoalText(Verdict verdict) {

    /** Limits that are met or missed by hardly anything. */
    private static final double HARDLY = 1.005;

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

    /** {@code met}, or {@code missed by 23 %}; with a remark if not all rounds agree. */
    String outcome() {
        double margin = verdict.margin();
        String doubt = verdict.isClear() ? "" : ", not in every round";
        if (verdict.isMet()) {
            return "met" + doubt;
        }
        if (margin == 0 || Double.isNaN(margin)) {
            return "missed" + doubt;
        }
        double factor = 1 / margin;
        if (factor < HARDLY) {
            return "missed by a hair" + doubt;
        }
        return (factor < 2
                        ? "missed by " + Text.exact(Math.rint((factor - 1) * 100)) + " %"
                        : "missed by " + Text.number(factor) + "x")
                + doubt;
    }
}
