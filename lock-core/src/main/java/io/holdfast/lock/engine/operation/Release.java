package io.holdfast.lock.engine.operation;

import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.wait.HeadAsks;
import io.holdfast.lock.engine.wait.Turns;
import io.holdfast.lock.spi.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The final release of a hold that has ended in this client: frees the lock. It is tried for one command timeout, which its caller
 * waits for; then the undoer goes on (rule 133).
 */
final class Release extends Exchange {

    private final HoldTools tools;
    private final Hold hold;
    private final Pending<Done> result;
    private final @Nullable Turns yielded;

    /**
     * @param dueNanos when its caller is told
     * @param yielded whose turns the release is an end of; null unless others are to go first
     */
    Release(HoldTools tools, Hold hold, Pending<Done> result, long dueNanos, @Nullable Turns yielded) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), tools.commandNanos(), dueNanos);
        this.tools = tools;
        this.hold = hold;
        this.result = result;
        this.yielded = yielded;
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        if (yielded == null) {
            tools.place().release(hold, 0, deadlineNanos, step);
        } else {
            HeadAsks wanting = HeadAsks.of(hold.cell);
            tools.place().endTurn(hold, wanting == null ? 0 : wanting.distance(), deadlineNanos, step);
        }
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Applied done) {
            tools.released(hold, result);
            HeadAsks wanting = HeadAsks.of(hold.cell);
            if (yielded != null && wanting != null) {
                wanting.afterYielding(yielded, done);
            }
        } else {
            tools.gone(hold, result, repeated);
            letOthersAsk();
        }
    }

    @Override
    protected void gaveUp(Fault fault) {
        if (!isUnanswered()) {
            tools.undoer().undo(hold);
        }
        tools.releaseFailed(hold, fault, result);
        letOthersAsk();
    }

    /** While it was on its way, an undo would have said the same once more. */
    @Override
    protected void endedLate(Outcome outcome) {
        if (outcome instanceof Outcome.Failed) {
            tools.undoer().undo(hold);
        }
    }

    /** The waiters of this client, if they have not asked right behind the release. */
    private void letOthersAsk() {
        if (yielded != null) {
            hold.cell.holdEnded();
        }
    }
}
