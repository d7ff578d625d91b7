package io.holdfast.lock.engine;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Fault;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in this client: its holds, and the {@link AcquisitionLoop} of those who want it.
 *
 * <p>All of it belongs to steps that run within the cell, which is a gate of its own: one at a time, without waiting, and
 * with no code of users. Cells come with the first call for a lock; when nothing is left to remember they rest in
 * {@link Cells}. A client may hold very many locks that nobody waits for, so a cell has a loop only while it has
 * somebody in it.
 */
final class LockCell extends SerialGate {

    /** What the lock is called: as by its first caller, and once a fenced lock was asked for, as by that. */
    volatile LockNames names;

    private final Engine engine;

    // Steps write these; any thread may read them.

    /** Holds that have not ended. */
    private volatile Holds holds = HoldList.NONE;
    /** Lost holds of threads that still owe releases, which will tell them. */
    private volatile Holds lostHolds = HoldList.NONE;
    /** Null while nobody wants the lock. */
    private volatile @Nullable AcquisitionLoop loop;

    private boolean retired;

    LockCell(Engine engine, LockNames names) {
        super(engine.runtime().steps());
        this.engine = engine;
        this.names = names;
    }

    // --- from any thread ---

    /** The lock is wanted under these names, which may be those of a fenced lock. */
    void wantedAs(LockNames wanted) {
        if (wanted.naming.countsTokens() && !names.naming.countsTokens()) {
            names = wanted;
        }
    }

    /** Brings a call that wants the lock. */
    void acquire(Ticket ticket) {
        run(LockCell::begin, this, ticket);
    }

    /** The caller has given up; the result is abandoned already. */
    void withdraw(Ticket ticket) {
        run(LockCell::withdrawn, this, ticket);
    }

    Engine engine() {
        return engine;
    }

    long nanos() {
        return engine.runtime().nanos();
    }

    String node() {
        return engine.node();
    }

    /** Calls that wait for the lock. */
    int waiters() {
        AcquisitionLoop present = loop;
        return present == null ? 0 : present.waiters();
    }

    /** Holds that have not ended. */
    Holds holds() {
        return holds;
    }

    /** The owner's hold: one that has not ended, else a lost one that it does not know of yet. */
    @Nullable
    Hold find(Owner owner) {
        Hold hold = holds.find(owner);
        return hold == null ? lostHolds.find(owner) : hold;
    }

    /** The owner's hold with a level that a MultiLock took: one that has not ended, else a lost one. Within the gate. */
    @Nullable
    Hold find(Owner owner, Object taker) {
        Hold hold = holds.find(owner);
        if (hold != null && hold.hasLevelOf(taker)) {
            return hold;
        }
        Hold lost = lostHolds.find(owner);
        return lost != null && lost.hasLevelOf(taker) ? lost : null;
    }

    /** A hold was lost: told by whoever latched it. */
    void lost(Hold hold, LockLoss loss) {
        try {
            engine.lost(hold, loss);
        } finally {
            run(LockCell::afterLoss, this, hold);
        }
    }

    // --- within the gate: arrival and departure ---

    private void begin(Ticket ticket) {
        if (ticket.isOver()) {
            return;
        }
        if (retired) {
            engine.cell(names).acquire(ticket);
            return;
        }
        if (engine.isClosed()) {
            ticket.result.fail(Failures.closed(names.name(), engine.ownerText(ticket.owner), node()));
            restIfIdle();
            return;
        }
        Hold own = holds.alive(ticket.owner);
        if (own != null) {
            engine.operations().reenter(own, ticket);
            return;
        }
        AcquisitionLoop wanting = loop;
        if (wanting == null) {
            wanting = new AcquisitionLoop(this);
            loop = wanting;
        }
        wanting.enter(ticket);
    }

    /**
     * The caller has given up. A request in flight is undone at once, behind it on the same connection: whatever this
     * client asks next finds no trace of it. A hand-over in flight is passed on when its answer comes.
     */
    private void withdrawn(Ticket ticket) {
        AcquisitionLoop wanting = loop;
        boolean wasHead = takeOut(ticket);
        undoIfUnclear(ticket);
        if (wasHead && wanting != null) {
            wanting.headChanged();
        }
        restIfIdle();
    }

    /** Takes a ticket out of whatever it waits in; true if it was the head. */
    boolean takeOut(Ticket ticket) {
        ticket.cancelTimers();
        AcquisitionLoop wanting = loop;
        return wanting != null && wanting.remove(ticket);
    }

    /** Those who want the lock; null while nobody does. */
    @Nullable
    AcquisitionLoop loop() {
        return loop;
    }

    /** A hold of this client has ended otherwise than by a hand-over: who wants the lock asks at once (rule 28). */
    void holdEnded() {
        AcquisitionLoop wanting = loop;
        if (wanting != null) {
            wanting.holdEnded();
        }
    }

    // --- within the gate: how a call ends ---

    /** The server has given the lock to a ticket's field: the hold begins, unless nobody wants it any more. */
    void grant(Ticket ticket, byte[] field, Outcome.Granted granted) {
        long now = nanos();
        AcquisitionLoop wanting = loop;
        boolean wasHead = takeOut(ticket);
        if (wanting != null) {
            wanting.granted();
        }
        if (granted.leases().validUntilNanos(now) - now <= 0) {
            engine.settler().undo(this, field, ticket.leaseMillis);
            fail(ticket, new Fault(Fault.Kind.NO_ANSWER, false, node(), "the grant came when its lease was over"));
            holdEnded();
            return;
        }
        if (ticket.maybeApplied) {
            granted.leases().askedBefore();
        }
        loseOthers();
        Hold hold = new Hold(this, ticket, field, granted.token(), granted.leases(), now);
        // First: whoever has the result may see the hold's loss at once, and wants to be told.
        hold.markHandedOut(true);
        // In this order a caller that has given up never sees a hold, and one that is woken always does (rule 75).
        if (!ticket.result.decide(Optional.of(hold))) {
            hold.markHandedOut(false);
            engine.operations().free(hold);
            return;
        }
        holds = holds.with(hold);
        ticket.result.onSettled();
        engine.keeper().watch(hold);
        hold.leases.begun(hold);
        engine.events().acquired(hold, now - ticket.startNanos);
        if (wanting == null) {
            return;
        }
        if (!hold.owner.handle() && wanting.waiters() > 0) {
            // The owner's other waiting calls become re-entries (rule 13).
            wanting.removeWaiters(hold.owner, waiting -> engine.operations().reenter(hold, waiting));
        }
        if (wasHead) {
            wanting.headChanged();
        }
    }

    /** A hold has ended. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void remove(Hold hold) {
        holds = holds.without(hold);
        hold.leases.ended();
    }

    /** Stores that grant a lock have no other field in it: whatever this client believed to hold has gone. */
    private void loseOthers() {
        Holds others = holds;
        for (int i = 0; i < others.size(); i++) {
            others.get(i).lose(LossReason.KEY_GONE, "the server has granted the lock once more");
        }
    }

    /** Somebody else has the lock. */
    void refuse(Ticket ticket) {
        if (ticket.result.complete(Optional.empty())) {
            engine.events().refused(names, ticket, null, "held by another owner");
        }
    }

    /** Ends a ticket with a fault. What it may have left on the server is undone. */
    void fail(Ticket ticket, Fault fault) {
        if (fault.maybeApplied()) {
            undo(ticket);
        }
        ticket.field = null;
        if (ticket.result.fail(Failures.of(names.name(), engine.ownerText(ticket.owner), fault))) {
            engine.events().refused(names, ticket, Failures.reason(fault), fault.detail());
        }
    }

    /** The client is closed. */
    void failClosed(Ticket ticket) {
        takeOut(ticket);
        undoIfUnclear(ticket);
        ticket.result.fail(Failures.closed(names.name(), engine.ownerText(ticket.owner), node()));
    }

    void undoIfUnclear(Ticket ticket) {
        if (ticket.maybeApplied || (ticket.inFlight && !ticket.receiving)) {
            undo(ticket);
        }
    }

    /**
     * Undoes what the ticket's present field may have left on the server; whatever answer comes is ignored. The undo would
     * go past a request that is not written yet: that is taken back instead (rule 80).
     */
    void undo(Ticket ticket) {
        byte[] field = ticket.field;
        if (field != null) {
            ticket.field = null;
            if (!ticket.takeBack()) {
                engine.settler().undo(this, field, ticket.leaseMillis);
            }
        }
    }

    // --- within the gate: losses, and the end ---

    private void afterLoss(Hold hold) {
        remove(hold);
        if (hold.isHandedOut() && !hold.owner.handle() && !engine.isClosed()) {
            Hold older = lostHolds.find(hold.owner);
            if (older != null) {
                dropLost(older);
            }
            lostHolds = lostHolds.with(hold);
            engine.remember(hold);
        }
        engine.settler().undo(this, hold);
        holdEnded();
        restIfIdle();
    }

    /** The owner was told of the loss once for every release that it owed. */
    void forget(Hold hold) {
        dropLost(hold);
        restIfIdle();
    }

    private void dropLost(Hold hold) {
        lostHolds = lostHolds.without(hold);
        engine.untold().remove(hold);
    }

    /** The client is closed: waiters fail, all holds are lost, and those without a fixed lease are released (rule 38). */
    void close() {
        AcquisitionLoop wanting = loop;
        if (wanting != null) {
            wanting.close();
        }
        Holds open = holds;
        for (int i = 0; i < open.size(); i++) {
            Hold hold = open.get(i);
            hold.lose(
                    LossReason.CLIENT_CLOSED,
                    hold.hasFixedLevel()
                            ? "the client was closed; its fixed lease goes on at the server"
                            : "the client was closed");
        }
        Holds untold = lostHolds;
        for (int i = 0; i < untold.size(); i++) {
            dropLost(untold.get(i));
        }
        restIfIdle();
    }

    boolean isRetired() {
        return retired;
    }

    /** Called whenever something that was to be remembered is gone. */
    void restIfIdle() {
        dropIdleLoop();
        if (engine.isClosed()) {
            retireIfIdle();
        } else if (!retired && isIdle()) {
            engine.cells().rest(this);
        }
    }

    /** Ends this cell, unless it is in use; calls that come too late go on to a new one. */
    void retireIfIdle() {
        dropIdleLoop();
        if (!retired && isIdle()) {
            retired = true;
            engine.cells().remove(this);
        }
    }

    private void dropIdleLoop() {
        AcquisitionLoop wanting = loop;
        if (wanting != null && wanting.isIdle()) {
            wanting.end();
            loop = null;
        }
    }

    private boolean isIdle() {
        return loop == null && holds.isEmpty() && lostHolds.isEmpty();
    }
}
