package io.holdfast.lock.engine.operation;

import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.HandOver;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.wait.Acquisitions;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.engine.wait.Turns;
import io.holdfast.lock.spi.Fault;

/** The hand-over of a lock, from a hold that has ended in this client to a waiter of the same client. */
final class Transfer extends Exchange {

    private final HoldTools tools;
    private final Acquisitions calls;
    private final Hold hold;
    private final Ticket receiver;
    private final byte[] field;
    private final HandOver over;
    private final Turns turns;
    private final long dueNanos;
    private final Pending<Done> result;

    /**
     * @param tokens how many the server is asked for
     * @param dueNanos when the caller of the release is told
     */
    Transfer(
            HoldTools tools,
            Acquisitions calls,
            Hold hold,
            Ticket receiver,
            Turns turns,
            int tokens,
            long dueNanos,
            Pending<Done> result) {
        super(tools.exchanges(), hold.cell, hold.cell.node(), tools.commandNanos(), dueNanos);
        this.tools = tools;
        this.calls = calls;
        this.hold = hold;
        this.receiver = receiver;
        this.turns = turns;
        this.dueNanos = dueNanos;
        this.result = result;
        this.field = tools.facts().newField(receiver.owner);
        this.over = new HandOver(field, receiver.leaseMillis(), receiver.watched(), tokens);
        receiver.receives(field, hold.cell.nanos(), tools.commandNanos());
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().transfer(hold, over, deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        if (outcome instanceof Outcome.Granted to) {
            turns.handedOver(to.others(), hold.cell.nanos());
            transferred(to, repeated);
        } else if (outcome instanceof Outcome.Uncounted) {
            tools.undoer().undo(hold.cell, receiver.kind(), field, over.askedMillis());
            tools.released(hold, result);
            backToQueue();
        } else {
            tools.gone(hold, result, repeated);
            backToQueue();
        }
    }

    /**
     * Where a server may not grant yet, or can't while the slot is being moved, the lock is released instead: that is never refused
     * (rules 87, 120).
     */
    @Override
    protected boolean passes(Fault fault) {
        return !mayNotGrant(fault) && super.passes(fault);
    }

    private static boolean mayNotGrant(Fault fault) {
        return switch (fault.kind()) {
            case PAUSED, NOT_VOUCHED, TRYAGAIN -> true;
            default -> false;
        };
    }

    private void transferred(Outcome.Granted granted, boolean repeated) {
        if (repeated) {
            granted.leases().askedBefore();
        }
        if (hold.isDelivered()) {
            tools.events().transferred(hold, false);
        }
        if (receiver.received(field)) {
            calls.handedOver(receiver, false);
            calls.grant(hold.cell, receiver, field, granted);
        } else {
            // The receiver has given up unanswered. Its field is being undone; this makes sure of it.
            tools.undoer().undo(hold.cell, receiver.kind(), field, over.askedMillis());
            hold.cell.holdEnded();
        }
        // Last: the receiver is to be woken first.
        result.complete(Done.DONE);
    }

    @Override
    protected void gaveUp(Fault fault) {
        if (fault.maybeApplied()) {
            tools.undoer().undo(hold.cell, receiver.kind(), field, over.askedMillis());
        }
        if (fault.maybeApplied() || (fault.mayPass() && !mayNotGrant(fault))) {
            tools.undoer().undo(hold);
            tools.releaseFailed(hold, fault, result);
        } else {
            new Release(tools, hold, result, dueNanos, null).start();
        }
        backToQueue();
    }

    private void backToQueue() {
        receiver.received(field);
        hold.cell.holdEnded();
    }
}
