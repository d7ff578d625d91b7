package io.holdfast.lock.engine.operation;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.wait.Acquisitions;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Fault;
import java.util.Optional;

/** One call more of an owner that has the lock: raises the count of its hold. */
final class Reentry extends Exchange {

    private final HoldTools tools;
    private final HoldOperations operations;
    private final Acquisitions calls;
    private final Hold hold;
    private final Ticket ticket;
    private final int count;

    Reentry(
            HoldTools tools,
            HoldOperations operations,
            Acquisitions calls,
            Hold hold,
            Ticket ticket,
            long answerNanos,
            long boundNanos) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), answerNanos, boundNanos);
        this.tools = tools;
        this.operations = operations;
        this.calls = calls;
        this.hold = hold;
        this.ticket = ticket;
        this.count = hold.count() + 1;
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().reenter(hold, count, ticket.leaseMillis(), deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Applied && hold.isAlive()) {
            hold.pushLevel(ticket.watched(), ticket.taker());
            tools.watchdog().changed(hold);
            if (!ticket.result.complete(Optional.of(hold))) {
                operations.dropLevel(hold);
                return;
            }
            calls.reentered(hold, ticket);
        } else {
            LockLoss loss = hold.surelyLost("the server did not know this hold at a re-entry");
            calls.fail(hold.cell, ticket, Failures.lost(loss), FailureReason.HOLD_LOST, loss.detail());
        }
        hold.operationEnded();
    }

    @Override
    protected void gaveUp(Fault fault) {
        calls.fail(hold.cell, ticket, fault);
        hold.operationEnded();
    }
}
