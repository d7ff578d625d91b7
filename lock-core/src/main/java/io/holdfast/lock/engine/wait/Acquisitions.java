package io.holdfast.lock.engine.wait;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.tell.Events;
import io.holdfast.lock.engine.upkeep.ClientRecords;
import io.holdfast.lock.engine.upkeep.Undoer;
import io.holdfast.lock.engine.upkeep.Watchdog;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * How a call that wants a lock comes in, and how it ends: granted, refused, failed or withdrawn. One serves all cells of a
 * client. But for the arrival and the withdrawal, everything here runs within the cell's gate.
 */
public final class Acquisitions {

    private final Asking asking;
    private final ClientFacts facts;
    private final Cells cells;
    private final Watchdog watchdog;
    private final Undoer undoer;
    private final Events events;
    private final ClientRecords records;
    private final HoldSteps holds;
    private final LoopStart loops;
    private final BiConsumer<LockCell, Ticket> arriving = this::arrived;

    public Acquisitions(
            Asking asking,
            Cells cells,
            Watchdog watchdog,
            Undoer undoer,
            Events events,
            ClientRecords records,
            HoldSteps holds,
            LoopStart loops) {
        this.asking = asking;
        this.facts = asking.facts();
        this.cells = cells;
        this.watchdog = watchdog;
        this.undoer = undoer;
        this.events = events;
        this.records = records;
        this.holds = holds;
        this.loops = loops;
    }

    Asking asking() {
        return asking;
    }

    // --- from any thread ---

    /** What listeners are told of these calls. */
    public Events events() {
        return events;
    }

    /** Brings a call that wants a lock. */
    public void acquire(Ticket ticket) {
        LockCell cell = cells.cell(ticket.keys);
        cell.run(arriving, cell, ticket);
    }

    /** The caller has given up; the result is abandoned already. */
    public void withdraw(Ticket ticket) {
        LockCell cell = cells.cell(ticket.keys);
        cell.run(() -> withdrawn(cell, ticket));
    }

    /** A call that awaits a condition has waited long enough, or was interrupted: it leaves the condition, and has the lock again. */
    public void leaveCondition(AwaitTicket ticket, boolean interrupted) {
        LockCell cell = cells.cell(ticket.keys);
        cell.run(() -> {
            if (ticket.isToLeave(interrupted)) {
                AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
                if (wanting != null && wanting.has(ticket)) {
                    wanting.hear(ticket);
                }
            }
        });
    }

    // --- arrival and departure ---

    private void arrived(LockCell cell, Ticket ticket) {
        if (ticket.isOver()) {
            return;
        }
        // First: each cell of a closed client retires with its first step, and a call would go on from cell to cell.
        if (facts.isClosed()) {
            failClosed(cell, ticket);
            return;
        }
        if (cell.isRetired()) {
            acquire(ticket);
            return;
        }
        Hold own = cell.holds().deciding(ticket.owner, ticket.kind());
        if (own != null) {
            reenter(own, ticket);
            return;
        }
        enter(cell, ticket);
    }

    /** Brings a call to the loop where those of its kind wait. */
    void enter(LockCell cell, Ticket ticket) {
        AcquisitionLoop known = AcquisitionLoop.of(cell, ticket.kind());
        (known == null ? loops.begin(cell, ticket.kind(), this) : known).enter(ticket);
    }

    /** A call whose owner has the lock. */
    void reenter(Hold own, Ticket ticket) {
        holds.reenter(own, ticket);
    }

    /**
     * The caller has given up. A request in flight is undone at once, behind it on the same connection: whatever this
     * client asks next finds no trace of it. A hand-over in flight is passed on when its answer comes.
     */
    private void withdrawn(LockCell cell, Ticket ticket) {
        takeOut(cell, ticket);
        undoIfUnclear(cell, ticket);
        tellRefusal(cell, ticket, FailureReason.WITHDRAWN, "the caller has given up");
    }

    /** Takes a ticket out of whatever it waits in; true if it was the head. */
    boolean takeOut(LockCell cell, Ticket ticket) {
        ticket.cancelTimers();
        ticket.isTakenOut(holds);
        AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
        return wanting != null && wanting.remove(ticket);
    }

    // --- how a call ends ---

    /** The server has given the lock to a ticket's field: the hold begins, as soon as replicas have confirmed it. */
    public void grant(LockCell cell, Ticket ticket, byte[] field, Outcome.Granted granted) {
        cell.loseExcluded(ticket.grantedKind(), ticket.owner);
        Replication replication = asking.replication();
        if (replication == null) {
            begin(cell, ticket, field, granted);
        } else {
            AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
            if (wanting != null) {
                wanting.ends().confirming(ticket);
            }
            ticket.awaitsReplicas(field, cell.nanos() + replication.longestNanos());
            ticket.result.onMadeToWait();
            Confirmation confirmation = new Confirmation(this, cell, ticket, field, granted);
            StoreLease lease = granted.leases().get(0);
            replication.await(cell.keys.at(lease.store).slot, lease.knownBy(), confirmation);
        }
    }

    /** Too few replicas have confirmed a grant, or it is not known whether they have: it is given back. */
    void unconfirmed(LockCell cell, Ticket ticket, byte[] field, Fault fault) {
        takeOut(cell, ticket);
        undoer.undo(cell, ticket.kind(), field, ticket.longestLeftMillis());
        fail(cell, ticket, new Fault(fault.kind(), false, fault.node(), fault.detail()));
        cell.holdEnded();
    }

    /** The hold begins, unless the call is not wanted any more. */
    public void begin(LockCell cell, Ticket ticket, byte[] field, Outcome.Granted granted) {
        long now = cell.nanos();
        AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
        boolean wasHead = takeOut(cell, ticket);
        if (wanting != null) {
            wanting.granted();
        }
        if (granted.leases().validUntilNanos(now) - now <= 0) {
            undoer.undo(cell, ticket.kind(), field, ticket.longestLeftMillis());
            fail(
                    cell,
                    ticket,
                    new Fault(Fault.Kind.NO_ANSWER, false, cell.node(), "the grant came when its lease was over"));
            cell.holdEnded();
            return;
        }
        if (ticket.maybeApplied) {
            granted.leases().askedBefore();
        }
        Hold hold = ticket.hold(cell, field, granted, now);
        Hold own = cell.holds().deciding(ticket.owner, ticket.kind());
        if (own != null) {
            // Two requests of one owner were under way, and neither excludes the other: the owner has one hold.
            holds.free(hold);
            reenter(own, ticket);
            return;
        }
        // First: a caller that has the result may see the hold's loss at once, and wants to be told.
        deliver(hold, ticket, true);
        // In this order a caller that has given up never sees a hold, and one that is woken always does (rule 75).
        if (!ticket.result.decide(Optional.of(hold))) {
            deliver(hold, ticket, false);
            holds.free(hold);
            ticket.others().forEach(holds::free);
            return;
        }
        cell.add(hold);
        List<Hold> others = ticket.others();
        for (int i = 0; i < others.size(); i++) {
            cell.add(others.get(i));
        }
        ticket.result.onSettled();
        begun(hold, ticket, now);
        for (int i = 0; i < others.size(); i++) {
            begun(others.get(i), ticket, now);
        }
        records.granted(hold.options());
        if (wanting == null) {
            return;
        }
        if (!hold.owner.standalone() && cell.waiters() > 0) {
            // The owner's other waiting calls become re-entries (rule 13).
            AcquisitionLoop.each(cell, loop -> loop.granted(hold, waiting -> reenter(hold, waiting)));
        }
        if (!wasHead) {
            wanting.grantedBeside(hold);
        }
    }

    private static void deliver(Hold hold, Ticket ticket, boolean wanted) {
        hold.markDelivered(wanted);
        List<Hold> others = ticket.others();
        for (int i = 0; i < others.size(); i++) {
            others.get(i).markDelivered(wanted);
        }
    }

    private void begun(Hold hold, Ticket ticket, long now) {
        watchdog.watch(hold);
        hold.leases.begun(hold);
        if (ticket.isTold()) {
            events.acquired(hold, ticket.waitedNanos(now));
        }
    }

    /** Asks a store whether it knows the holds that it granted. */
    void askAll(Store store) {
        watchdog.askAll(store);
    }

    /** What a call gives up is gone from the server. */
    void givenUp(Hold hold) {
        holds.givenUp(hold);
    }

    /** The server did not know the hold that a call gives up: it ends, and whatever it has got instead is undone. */
    void failWithoutHold(LockCell cell, Ticket ticket, byte[] field, Hold hold) {
        takeOut(cell, ticket);
        ticket.leavesPlace();
        undoer.undo(cell, ticket.kind(), field, ticket.longestLeftMillis());
        LockLoss loss = holds.lostBeforeRelease(hold);
        fail(cell, ticket, Failures.lost(loss), FailureReason.HOLD_LOST, loss.detail());
    }

    /** Another owner has the lock. */
    void refuse(LockCell cell, Ticket ticket) {
        undoIfUnclear(cell, ticket);
        if (ticket.result.complete(Optional.empty())) {
            FailureReason reason = ticket.once() ? FailureReason.HELD_BY_ANOTHER : FailureReason.NOT_GRANTED;
            tellRefusal(cell, ticket, reason, "held by another owner");
        }
    }

    /** Ends a ticket with a fault. What it may have left on the server is undone. */
    public void fail(LockCell cell, Ticket ticket, Fault fault) {
        if (fault.maybeApplied() || ticket.isPlaced()) {
            undo(cell, ticket);
        }
        ticket.field = null;
        if (ticket.result.fail(Failures.of(cell.keys.named(), cell.ownerText(ticket.owner), fault))) {
            tellRefusal(cell, ticket, Failures.reason(fault), fault.detail());
        }
    }

    /** Ends a ticket that has not got what its owner holds. */
    public void fail(LockCell cell, Ticket ticket, RuntimeException failure, FailureReason reason, String detail) {
        if (ticket.result.fail(failure)) {
            tellRefusal(cell, ticket, reason, detail);
        }
    }

    private void tellRefusal(LockCell cell, Ticket ticket, FailureReason reason, String detail) {
        if (ticket.isTold()) {
            long waited = ticket.waitedNanos(cell.nanos());
            ticket.eachTerms(terms -> events.refused(terms, cell.keys, ticket.owner, waited, reason, detail));
        }
    }

    /**
     * The lock is handed over to the ticket.
     *
     * @param isLocal whether the server is not asked
     */
    public void handedOver(Ticket ticket, boolean isLocal) {
        events.handedOver(ticket.terms, isLocal);
    }

    /** The ticket's owner has the lock once more. */
    public void reentered(Hold hold, Ticket ticket) {
        if (ticket.isTold()) {
            events.reentered(ticket.terms, hold, ticket.waitedNanos(hold.cell.nanos()));
        }
    }

    /** A call has to wait for others, or for a fault to pass. */
    void waits(LockCell cell, Ticket ticket, int position) {
        long waited = ticket.waitedNanos(cell.nanos());
        ticket.eachTerms(terms -> events.waiting(terms, cell.keys, ticket.owner, waited, position));
    }

    /** The client is closed. */
    void failClosed(LockCell cell, Ticket ticket) {
        takeOut(cell, ticket);
        undoIfUnclear(cell, ticket);
        RuntimeException closed = Failures.closed(cell.keys.named(), cell.ownerText(ticket.owner), cell.node());
        fail(cell, ticket, closed, FailureReason.CLIENT_CLOSED, "the client is closed");
    }

    void undoIfUnclear(LockCell cell, Ticket ticket) {
        if (ticket.mayBeAtServer()) {
            undo(cell, ticket);
        }
    }

    /**
     * Undoes what the ticket's present field may have left on the server; whatever answer comes is ignored. The undo would
     * go past a request that is not written yet: that is taken back instead (rule 80).
     */
    void undo(LockCell cell, Ticket ticket) {
        byte[] field = ticket.field;
        if (field != null) {
            boolean wasPlaced = ticket.isPlaced();
            ticket.leavesPlace();
            if (!ticket.takeBack() || wasPlaced) {
                undoLate(cell, ticket, field);
            }
        }
    }

    /**
     * Undoes what a field has, whatever answer comes. What it may have left ends by itself when a lease is over, or the client is
     * absent; but for a place in a condition, which the client's other calls keep alive, and which would take a signal: its undo
     * is repeated for as long as the client lives.
     */
    void undoLate(LockCell cell, Ticket ticket, byte[] field) {
        AcquisitionLoop wanting = AcquisitionLoop.of(cell, ticket.kind());
        if (wanting != null) {
            wanting.mayHaveLeftWord(ticket);
        }
        if (ticket.isKeptByOthers()) {
            undoer.clear(cell, ticket.kind(), field, ticket.longestLeftMillis(), () -> !facts.isClosed());
        } else {
            undoer.undo(cell, ticket.kind(), field, ticket.longestLeftMillis());
        }
    }
}
