package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import java.util.List;
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
        AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
        if (ticket.received(field)) {
            Fault obstacle = fault == null ? replaced() : fault;
            if (obstacle != null) {
                calls.unconfirmed(cell, ticket, field, obstacle);
            } else if (wanting != null && wanting.ends().isGone(ticket)) {
                calls.undoLate(cell, ticket, field);
                askAnew(wanting);
            } else {
                calls.begin(cell, ticket, field, granted);
                askIfReconnected();
            }
        }
        if (wanting != null) {
            wanting.ends().confirmed(ticket);
        }
    }

    /** Where this client's requests go to another process by now, that one has no say in what is handed out. */
    private @Nullable Fault replaced() {
        StoreLease lease = granted.leases().get(0);
        ServerRun granting = lease.knownBy();
        boolean replaced = granting.isKnown()
                && runs(lease).stream()
                        .allMatch(now -> now.isKnown() && !granting.id().equals(now.id()));
        return replaced
                ? new Fault(
                        Fault.Kind.NOREPLICAS,
                        false,
                        cell.node(),
                        "another server has taken the place of the one that granted the lock")
                : null;
    }

    /** A connection that is back brings a question about every hold; this one was none yet. */
    private void askIfReconnected() {
        StoreLease lease = granted.leases().get(0);
        if (!runs(lease).contains(lease.knownBy())) {
            calls.askAll(lease.store);
        }
    }

    private List<ServerRun> runs(StoreLease lease) {
        return lease.store.backend().runs(cell.keys.at(lease.store).slot);
    }

    /** Another call of this client was granted the lock since, and may have it: the server knows. */
    private void askAnew(AcquisitionLoop wanting) {
        if (wanting.has(ticket)) {
            wanting.ask(ticket);
        }
    }
}
