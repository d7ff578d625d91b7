package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;

/** One request for the lock in flight, for one ticket under one field. */
final class Attempt implements StepListener {

    private final LockCell cell;
    private final AcquisitionLoop loop;
    private final Ticket ticket;
    private final byte[] field;
    private boolean unanswered;

    Attempt(LockCell cell, AcquisitionLoop loop, Ticket ticket, byte[] field) {
        this.cell = cell;
        this.loop = loop;
        this.ticket = ticket;
        this.field = field;
    }

    @Override
    public void overdue() {
        cell.run(() -> {
            if (ticket.field == field && !ticket.isOver()) {
                unanswered = true;
                loop.ends().giveUpUnanswered(ticket);
            }
        });
    }

    @Override
    public boolean isWanted() {
        return ticket.field == field;
    }

    @Override
    public void ended(Outcome outcome) {
        cell.run(Attempt::settle, this, outcome);
    }

    /** The lock would be reserved there for a client that may not want it any more (rule 127). */
    @Override
    public void keepsWord() {
        cell.run(() -> {
            AcquisitionLoop present = AcquisitionLoop.of(cell, ticket.kind());
            AcquisitionLoop wanting = present == null ? loop : present;
            wanting.mayHaveLeftWord(ticket);
            if (wanting.queue.isEmpty()) {
                wanting.noneWaits();
            }
        });
    }

    /** A grant that does not count is undone (rule 88). */
    private Outcome givenBack(Outcome.Uncounted granted) {
        loop.calls.undoLate(loop.cell, ticket, field);
        ticket.maybeApplied = false;
        return granted.failed();
    }

    /** A ticket with this field is still in the loop: the step that takes it out takes its field away. */
    private void settle(Outcome outcome) {
        if (ticket.field == field) {
            loop.onAnswer(
                    ticket, field, outcome instanceof Outcome.Uncounted uncounted ? givenBack(uncounted) : outcome);
        } else if (!unanswered && outcome.mayBeAtStore()) {
            // A request that met NOSCRIPT was written again, perhaps behind the undo that ended it: a grant, or a
            // place.
            loop.calls.undoLate(loop.cell, ticket, field);
        }
    }
}
