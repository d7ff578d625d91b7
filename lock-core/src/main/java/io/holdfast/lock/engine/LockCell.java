package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in this client: its holds, the {@link AcquisitionLoop} of those who want it, and the
 * {@link HoldOperations} of those who have it.
 *
 * <p>All of it belongs to steps that run within the cell's {@link SerialGate}: one at a time, without waiting, and with
 * no code of users. Cells come with the first call for a lock; when nothing is left to remember they rest in
 * {@link Cells}.
 */
final class LockCell {

    final LockNames names;
    final LockKind kind;
    final HoldOperations operations;
    final AcquisitionLoop loop;

    /** Holds that have not ended. */
    final HoldList holds = new HoldList();

    /** Lost holds of threads that still owe releases, which will tell them. */
    private final HoldList lostHolds = new HoldList();

    private final Engine engine;
    private final Runtime runtime;
    private final SerialGate gate;
    private boolean retired;

    LockCell(Engine engine, LockNames names) {
        this.engine = engine;
        this.names = names;
        this.runtime = engine.runtime();
        this.gate = new SerialGate(runtime.steps());
        this.kind = engine.kind(this, names);
        this.loop = new AcquisitionLoop(engine, this, gate);
        this.operations = new HoldOperations(engine, this);
    }

    // --- from any thread ---

    /** Brings a call that wants the lock. */
    void acquire(Ticket ticket) {
        gate.run(LockCell::begin, this, ticket);
    }

    /** The caller has given up; the result is abandoned already. */
    void withdraw(Ticket ticket) {
        gate.run(() -> loop.leave(ticket));
    }

    /** Runs a step of this cell. */
    void step(Runnable step) {
        gate.run(step);
    }

    Engine engine() {
        return engine;
    }

    SerialGate gate() {
        return gate;
    }

    void callback(Runnable callback) {
        engine.callback(callback);
    }

    long nanos() {
        return runtime.nanos();
    }

    String node() {
        return engine.node();
    }

    /** The owner's hold: one that has not ended, else a lost one that it does not know of yet. */
    @Nullable
    Hold find(Owner owner) {
        Hold hold = holds.find(owner);
        return hold == null ? lostHolds.find(owner) : hold;
    }

    /** A hold was lost: told by whoever latched it. */
    void lost(Hold hold, LockLoss loss) {
        engine.lost(hold, loss);
        gate.run(() -> afterLoss(hold));
    }

    // --- within the gate ---

    private void begin(Ticket ticket) {
        if (ticket.isOver()) {
            return;
        }
        if (retired) {
            engine.cell(names).acquire(ticket);
            return;
        }
        if (engine.isClosed()) {
            ticket.result.fail(Failures.closed(names.name, engine.ownerText(ticket.owner), node()));
            restIfIdle();
            return;
        }
        Hold own = holds.alive(ticket.owner);
        if (own == null) {
            loop.enter(ticket);
        } else {
            operations.reenter(own, ticket);
        }
    }

    /** The server has given the lock to a ticket's field: the hold begins, unless nobody wants it any more. */
    void grant(Ticket ticket, byte[] field, Outcome.Granted granted) {
        long now = runtime.nanos();
        boolean wasHead = loop.remove(ticket);
        if (granted.leases().validUntilNanos(now) - now <= 0) {
            engine.settler().undo(this, field, ticket.leaseMillis);
            loop.fail(ticket, new Fault(Fault.Kind.NO_ANSWER, false, node(), "the grant came when its lease was over"));
            loop.holdEnded();
            return;
        }
        loseOthers();
        Hold hold = new Hold(this, ticket, field, granted.token(), granted.leases(), now);
        holds.add(hold);
        // First: whoever has the result may see the hold's loss at once, and wants to be told.
        hold.markHandedOut(true);
        if (!ticket.result.complete(Optional.of(hold))) {
            hold.markHandedOut(false);
            operations.free(hold);
            return;
        }
        engine.keeper().watch(hold);
        engine.events().acquired(hold, now - ticket.startNanos);
        if (!hold.owner.handle() && loop.waiters() > 0) {
            // The owner's other waiting calls become re-entries (rule 13).
            loop.removeWaiters(hold.owner, waiting -> operations.reenter(hold, waiting));
        }
        if (wasHead) {
            loop.headChanged();
        }
    }

    /** Stores that grant a lock have no other field in it: whatever this client believed to hold has gone. */
    private void loseOthers() {
        for (Hold other : holds.snapshot()) {
            other.lose(FailureReason.KEY_GONE, "the server has granted the lock once more");
        }
    }

    private void afterLoss(Hold hold) {
        holds.remove(hold);
        if (hold.isHandedOut() && !hold.owner.handle() && !engine.isClosed()) {
            Hold older = lostHolds.find(hold.owner);
            if (older != null) {
                lostHolds.remove(older);
            }
            lostHolds.add(hold);
            engine.remember(hold);
        }
        engine.settler().undo(this, hold);
        loop.holdEnded();
        restIfIdle();
    }

    /** The owner was told of the loss once for every release that it owed. */
    void forget(Hold hold) {
        lostHolds.remove(hold);
        restIfIdle();
    }

    /** The client is closed: waiters fail, and all holds are lost and released. */
    void close() {
        loop.close();
        for (Hold hold : holds.snapshot()) {
            hold.lose(FailureReason.CLIENT_CLOSED, "the client was closed");
        }
        lostHolds.clear();
        restIfIdle();
    }

    boolean isRetired() {
        return retired;
    }

    /** Called whenever something that was to be remembered is gone. */
    void restIfIdle() {
        if (engine.isClosed()) {
            retireIfIdle();
        } else if (!retired && isIdle()) {
            engine.cells().rest(this);
        }
    }

    /** Ends this cell, unless it is in use; calls that come too late go on to a new one. */
    void retireIfIdle() {
        if (!retired && isIdle()) {
            retired = true;
            engine.cells().remove(this);
        }
    }

    private boolean isIdle() {
        return loop.isIdle() && holds.isEmpty() && lostHolds.isEmpty();
    }
}
