package io.holdfast.lock.engine;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock of one engine: one name at one store, or at the nodes of a quorum. */
class EngineLock extends LockFacade<Hold> {

    final Engine engine;
    final LockNames names;
    private final String name;

    EngineLock(Engine engine, LockNames names, LockOptions options) {
        this(engine, names.name(), names, options);
    }

    EngineLock(Engine engine, String name, LockNames names, LockOptions options) {
        super(engine, options);
        this.engine = engine;
        this.name = name;
        this.names = names;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    Owner newHandle() {
        return engine.newHandle();
    }

    @Override
    Runnable begin(Owner owner, Lease lease, long waitNanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
        Ticket ticket = new Ticket(
                owner,
                options,
                lease,
                waitNanos,
                owner.handle() ? null : thread,
                engine.runtime().nanos(),
                result);
        engine.cell(names).acquire(ticket);
        return () -> engine.cell(names).withdraw(ticket);
    }

    @Override
    void giveBack(Hold hold) {
        hold.cell.run(() -> engine.operations().release(hold, new Unwanted<>()));
    }

    @Override
    LockHold handle(Hold hold) {
        return new HoldHandle(hold);
    }

    @Override
    void release(Owner owner, Pending<Done> result) {
        LockCell cell = engine.cellIfPresent(names);
        if (cell == null) {
            result.fail(
                    engine.isClosed()
                            ? Failures.closed(name, engine.ownerText(owner), engine.node())
                            : engine.notHeld(names, owner, null));
            return;
        }
        cell.run(() -> {
            Hold hold = cell.find(owner);
            if (hold != null) {
                engine.operations().release(hold, result);
            } else if (cell.isRetired()) {
                release(owner, result);
            } else {
                result.fail(engine.notHeld(names, owner, cell.holds().anyAlive()));
            }
        });
    }

    @Override
    void force(Pending<Boolean> result) {
        if (engine.isClosed()) {
            result.fail(Failures.closed(name, "", engine.node()));
            return;
        }
        LockCell cell = engine.cell(names);
        cell.run(() -> {
            if (cell.isRetired()) {
                force(result);
            } else {
                engine.operations().force(cell, result);
            }
        });
    }

    @Override
    void askWhetherLocked(Pending<Boolean> result) {
        new Inspection(engine, names).isLocked(result);
    }

    @Override
    void askTimeToLive(Pending<Long> result) {
        new Inspection(engine, names).timeToLive(result);
    }

    @Override
    int holdCount(Owner owner) {
        LockCell cell = engine.cellIfPresent(names);
        Hold hold = cell == null ? null : cell.holds().alive(owner);
        return hold == null ? 0 : hold.count();
    }

    @Override
    long token(Owner owner) {
        Hold hold = found(owner);
        LockLoss loss = hold == null ? null : hold.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
        if (hold == null || hold.hasEnded()) {
            LockCell cell = engine.cellIfPresent(names);
            throw engine.notHeld(
                    names, owner, cell == null ? null : cell.holds().anyAlive());
        }
        return engine.tokenOf(hold);
    }

    /** The owner's hold: one that has not ended, else a lost one that it does not know of yet. */
    @Nullable
    Hold found(Owner owner) {
        LockCell cell = engine.cellIfPresent(names);
        return cell == null ? null : cell.find(owner);
    }
}
