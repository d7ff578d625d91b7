package io.holdfast.lock.engine.operation;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Fault;

/** The release of a level that is not the last: lowers the count of a hold, which goes on. */
final class Lowering extends Exchange {

    private final HoldTools tools;
    private final Hold hold;
    private final Pending<Done> result;

    Lowering(HoldTools tools, Hold hold, Pending<Done> result) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), tools.commandNanos(), tools.releaseDueNanos(hold));
        this.tools = tools;
        this.hold = hold;
        this.result = result;
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().release(hold, hold.count() - 1, deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Applied && hold.isAlive()) {
            lowered();
            result.complete(Done.DONE);
        } else {
            LockLoss loss = hold.surelyLost("the server did not know this hold when it was released");
            hold.popLevel();
            result.fail(Failures.lost(loss));
        }
        hold.operationEnded();
    }

    @Override
    protected void gaveUp(Fault fault) {
        // Counts are absolute: the next operation on this hold sets the right one.
        lowered();
        result.fail(Failures.of(hold.cell.keys.name(), hold.ownerText(), fault));
        hold.operationEnded();
    }

    private void lowered() {
        if (hold.popLevel()) {
            tools.watchdog().changed(hold);
        }
    }
}
