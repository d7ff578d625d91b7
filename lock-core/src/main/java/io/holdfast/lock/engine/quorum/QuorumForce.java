package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.spi.Fault;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Frees a lock at all nodes, whichever owner holds it there. It ends when every node has answered or had its time. */
final class QuorumForce {

    private final LockCell cell;
    private final Quorum quorum;
    private final LockKind kind;
    private final StepListener step;
    private final @Nullable Outcome[] answers;
    private int waiting;

    QuorumForce(Quorum quorum, LockCell cell, LockKind kind, StepListener step) {
        this.cell = cell;
        this.quorum = quorum;
        this.kind = kind;
        this.step = step;
        this.answers = new Outcome[quorum.steps().size()];
        this.waiting = answers.length;
    }

    void start(long deadlineNanos) {
        for (StoreSteps to : quorum.steps()) {
            to.force(cell.keys, kind, deadlineNanos, new StepListener() {
                @Override
                public void overdue() {
                    ended(new Outcome.Failed(Failures.noAnswer(to.store.node(), true)));
                }

                @Override
                public void ended(Outcome outcome) {
                    cell.run(() -> onAnswer(to.store.index(), outcome));
                }
            });
        }
    }

    private void onAnswer(int index, Outcome outcome) {
        if (answers[index] != null) {
            return;
        }
        answers[index] = outcome;
        if (--waiting == 0) {
            decide();
        }
    }

    private void decide() {
        int done = 0;
        int answered = 0;
        boolean maybeApplied = false;
        StringJoiner said = new StringJoiner("; ");
        for (StoreSteps to : quorum.steps()) {
            Outcome answer = answers[to.store.index()];
            if (answer instanceof Outcome.Failed failed) {
                maybeApplied |= failed.fault().maybeApplied();
                said.add(to.store + ": " + failed.fault().kind() + ": "
                        + failed.fault().detail());
            } else {
                answered++;
                done += answer instanceof Outcome.Applied ? 1 : 0;
                said.add(to.store + ": " + (answer instanceof Outcome.Applied ? "freed" : "it was free"));
            }
        }
        if (answered < quorum.majority()) {
            step.ended(new Outcome.Failed(
                    new Fault(Fault.Kind.NO_MAJORITY, maybeApplied || done > 0, cell.node(), said.toString())));
        } else {
            step.ended(done > 0 ? new Outcome.Applied(0) : new Outcome.Gone());
        }
    }
}
