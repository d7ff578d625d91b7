package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import org.jspecify.annotations.Nullable;

/**
 * A grant that replicas have yet to confirm (rule 85). Until then its call is in flight: one that is given up meanwhile takes
 * its field away and undoes it, like any other.
 */
final class Confirmation implements Replication.Listener {

    private final Acquisitions calls;
    private final LockCell cell;
    private final Ticket ticket;
    private final byte[] field;
    private final Outcome.Granted granted;

    Confirmation(Acquisitions calls, LockCell cell, Ticket ticket, byte[] field, Outcome.Granted granted) {
        this.calls = calls;
        this.cell = cell;
        this.ticket = ticket;
        this.field = field;
        this.granted = granted;
    }

    @Override
    public void confirmed() {
        cell.run(() -> settle(null));
    }

    @Override
    public void failed(Fault fault) {
        cell.run(() -> settle(fault));
    }

    private void settle(@Nullable Fault fault) {
        if (ticket.received(field)) {
            if (fault == null) {
                calls.begin(cell, ticket, field, granted);
            } else {
                calls.unconfirmed(cell, ticket, field, fault);
            }
        }
        AcquisitionLoop wanting = AcquisitionLoop.of(cell);
        if (wanting != null) {
            wanting.ends().confirmed(ticket);
        }
        cell.restIfIdle();
    }
}
