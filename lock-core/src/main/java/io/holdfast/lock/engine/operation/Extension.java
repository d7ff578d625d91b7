package io.holdfast.lock.engine.operation;

import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Fault;

/** Makes a hold last at least so much longer. */
final class Extension extends Exchange {

    private final HoldTools tools;
    private final Hold hold;
    private final long leaseMillis;
    private final Pending<Done> result;

    Extension(HoldTools tools, Hold hold, long leaseMillis, long dueNanos, Pending<Done> result) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), dueNanos - hold.cell.nanos(), dueNanos);
        this.tools = tools;
        this.hold = hold;
        this.leaseMillis = leaseMillis;
        this.result = result;
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().extend(hold, leaseMillis, deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Applied && hold.isAlive()) {
            tools.watchdog().changed(hold);
            result.complete(Done.DONE);
        } else {
            result.fail(Failures.lost(
                    hold.cell.keys.named(), hold.surelyLost("the server did not know this hold when it was extended")));
        }
        hold.operationEnded();
    }

    @Override
    protected void gaveUp(Fault fault) {
        result.fail(Failures.of(hold.cell.keys.named(), hold.ownerText(), fault));
        hold.operationEnded();
    }
}
