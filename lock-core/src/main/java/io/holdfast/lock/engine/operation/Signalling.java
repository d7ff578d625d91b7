package io.holdfast.lock.engine.operation;

import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Fault;

/** A signal to those who await a condition, given by the holder of the lock. The hold goes on as it is. */
final class Signalling extends Exchange {

    private final HoldTools tools;
    private final Hold hold;
    private final Awaiting condition;
    private final byte[] id;
    private final boolean all;
    private final long boundNanos;
    private final Pending<Done> result;

    /** @param id by which a repeated request is known as the same signal */
    Signalling(
            HoldTools tools,
            Hold hold,
            Awaiting condition,
            byte[] id,
            boolean all,
            long boundNanos,
            Pending<Done> result) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), tools.commandNanos(), boundNanos);
        this.tools = tools;
        this.hold = hold;
        this.condition = condition;
        this.id = id;
        this.all = all;
        this.boundNanos = boundNanos;
        this.result = result;
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().signal(hold, condition, id, all, deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Unfinished) {
            new Signalling(tools, hold, condition, id, all, boundNanos, result).start();
            return;
        }
        if (outcome instanceof Outcome.Applied) {
            result.complete(Done.DONE);
        } else {
            result.fail(Failures.lost(hold.surelyLost("the server did not know this hold when it signalled")));
        }
        hold.operationEnded();
    }

    @Override
    protected void gaveUp(Fault fault) {
        result.fail(Failures.of(hold.cell.keys.name(), hold.ownerText(), fault));
        hold.operationEnded();
    }
}
