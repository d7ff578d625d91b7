package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.spi.Fault;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One step of a hold at all of its nodes. It is done when a majority has done it, and gone when too few nodes know the
 * field for a majority. A final release that is done at a majority is finished at the others by the undoer.
 *
 * <p>Everything here runs within the cell's gate.
 */
abstract class QuorumStep {

    private final LockCell cell;
    private final Quorum quorum;
    private final Hold hold;
    private final QuorumLeases leases;
    private final StepListener step;

    /** What each node answered; null while it has not, or was not asked. */
    private final @Nullable Outcome[] answers;

    private final boolean[] open;
    private int grantedBefore;
    private @Nullable Outcome ended;

    QuorumStep(Quorum quorum, Hold hold, StepListener step) {
        this.cell = hold.cell;
        this.quorum = quorum;
        this.hold = hold;
        this.leases = QuorumLeases.of(hold);
        this.step = step;
        this.answers = new Outcome[quorum.steps().size()];
        this.open = new boolean[quorum.steps().size()];
    }

    /** Sends the step to one node. */
    abstract void send(StoreSteps to, StepListener answer);

    /** Whether this is the hold's final release, which has to reach every node that may have the field. */
    boolean isFinal() {
        return false;
    }

    final void start() {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            grantedBefore += lease.isGranted() && counts(i) ? 1 : 0;
            open[lease.store.index()] = isFinal() ? leases.mayBeAt(lease) : lease.isGranted();
            if (!open[lease.store.index()]) {
                leases.seats().get(i).misses();
            }
        }
        for (StoreSteps to : quorum.steps()) {
            int index = to.store.index();
            if (open[index]) {
                if (isFinal()) {
                    hold.leases.at(to.store).releaseSent();
                }
                send(to, new StepListener() {
                    @Override
                    public void overdue() {
                        cell.run(() -> onOverdue(index));
                    }

                    @Override
                    public void ended(Outcome outcome) {
                        cell.run(() -> onAnswer(index, outcome));
                    }
                });
            }
        }
        cell.run(this::decide);
    }

    private void onOverdue(int index) {
        take(
                index,
                new Outcome.Failed(
                        Failures.noAnswer(quorum.steps().get(index).store.node(), true)));
    }

    private void onAnswer(int index, Outcome outcome) {
        if (isFinal()) {
            releaseEnded(hold.leases.get(index), outcome);
        }
        take(index, outcome);
    }

    /** The first that is heard from a node counts. */
    private void take(int index, Outcome outcome) {
        if (!open[index]) {
            return;
        }
        open[index] = false;
        answers[index] = outcome;
        if (!isFinal() && outcome instanceof Outcome.Failed) {
            leases.seats().get(index).misses();
        }
        if (ended != null) {
            finishElsewhere(index);
        } else {
            decide();
        }
    }

    private void releaseEnded(StoreLease lease, Outcome outcome) {
        boolean leftToUndoer = lease.releaseEnded();
        if (outcome instanceof Outcome.Gone) {
            lease.lose("the server did not know this hold when it was released");
        } else if (outcome instanceof Outcome.Failed && leftToUndoer) {
            quorum.undoer().undo(hold, lease);
        }
    }

    private void decide() {
        if (ended != null) {
            return;
        }
        int done = 0;
        int gone = 0;
        int failed = 0;
        int waiting = 0;
        for (int i = 0; i < answers.length; i++) {
            Outcome answer = counts(i) ? answers[i] : null;
            if (open[i] && counts(i)) {
                waiting++;
            } else if (answer instanceof Outcome.Applied) {
                done++;
            } else if (answer instanceof Outcome.Failed) {
                failed++;
            } else if (answer instanceof Outcome.Gone) {
                gone++;
            }
        }
        if (done >= quorum.majority()) {
            end(applied());
        } else if (grantedBefore - gone < quorum.majority() && done + failed + waiting < quorum.majority()) {
            end(new Outcome.Gone());
        } else if (isFinal() && answers.length - failed - waiting >= quorum.majority()) {
            // Where it has been refused or is gone it is not held either.
            end(applied());
        } else if (waiting == 0) {
            end(failure());
        }
    }

    /** Whether a node's answer counts: not that of one which has joined and on which the hold does not rest yet. */
    private boolean counts(int index) {
        return isFinal() || leases.seats().get(index).counts();
    }

    private void end(Outcome outcome) {
        ended = outcome;
        for (int i = 0; i < answers.length; i++) {
            finishElsewhere(i);
        }
        step.ended(outcome);
        // One step later, when the hold has the count that this one has brought.
        cell.run(leases::catchUp);
    }

    /** A node that could not be reached by a final release is the undoer's, once the release counts. */
    private void finishElsewhere(int index) {
        if (isFinal() && !(ended instanceof Outcome.Failed) && answers[index] instanceof Outcome.Failed) {
            quorum.undoer().undo(hold, hold.leases.get(index));
        }
    }

    /** The lock is reserved for a client if a majority has reserved it. */
    private Outcome applied() {
        long reserved = Arrays.stream(answers)
                .filter(answer -> answer instanceof Outcome.Applied done && done.reserved())
                .count();
        return Outcome.Applied.toldTo(listeners(), reserved >= quorum.majority());
    }

    private long listeners() {
        return Arrays.stream(answers)
                .mapToLong(answer -> answer instanceof Outcome.Applied done ? done.listeners() : 0)
                .max()
                .orElse(0);
    }

    private Outcome failure() {
        StringJoiner said = new StringJoiner("; ");
        boolean maybeApplied = false;
        boolean hadItsTime = false;
        for (StoreSteps to : quorum.steps()) {
            Outcome answer = answers[to.store.index()];
            if (answer instanceof Outcome.Failed failed) {
                said.add(to.store + ": " + failed.fault().kind() + ": "
                        + failed.fault().detail());
                maybeApplied |= failed.fault().maybeApplied();
                hadItsTime |= failed.fault().kind() == Fault.Kind.NO_ANSWER;
            } else {
                maybeApplied |= answer instanceof Outcome.Applied;
                said.add(to.store + ": " + (answer instanceof Outcome.Applied ? "done" : "it does not have the lock"));
            }
        }
        Fault fault = new Fault(Fault.Kind.NO_MAJORITY, maybeApplied, cell.node(), said.toString());
        return new Outcome.Failed(fault, hadItsTime);
    }
}
