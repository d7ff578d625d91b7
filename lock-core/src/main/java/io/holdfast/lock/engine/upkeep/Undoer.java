package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.spi.Fault;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes what calls may have left on the server: outcomes that stayed unknown, grants that came too late, lost holds.
 * It repeats the release of a field until the server confirms it or the lease is over, but never while the one before may
 * still be answered. Fields are never used twice, so that an undo can hit nothing but what it is meant for.
 */
public final class Undoer {

    private static final Logger log = LoggerFactory.getLogger(Undoer.class);

    /** By the index of their store. */
    private final List<StoreSteps> steps;

    private final Exchanges exchanges;
    private final long commandNanos;

    public Undoer(List<StoreSteps> steps, Exchanges exchanges, long commandNanos) {
        this.steps = steps;
        this.exchanges = exchanges;
        this.commandNanos = commandNanos;
    }

    /**
     * Releases a field wherever it may be, within the cell's gate.
     *
     * @param leaseMillis how long it could live on the server otherwise
     */
    public void undo(LockCell cell, LockKind kind, byte[] field, long leaseMillis) {
        for (StoreSteps at : steps) {
            undo(cell, kind, at.store, field, leaseMillis);
        }
    }

    /** Releases a hold that has ended, at the stores that may have it, but for those to which a fixed lease is left. */
    public void undo(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            if (hold.leases.mayBeAt(lease) && !hold.isLeftTo(lease)) {
                undo(hold, lease);
            }
        }
    }

    /** Releases a hold that has ended at one store, unless its release there may still be answered: then if that fails. */
    public void undo(Hold hold, StoreLease lease) {
        if (lease.isBeingReleased()) {
            lease.undoIfReleaseFails();
        } else {
            undo(hold.cell, hold.kind(), lease.store, hold.field, hold.longestLeaseMillis());
        }
    }

    /**
     * Releases a field at one store of a hold that goes on at others. It is repeated for as long as the hold lives, since
     * until it is confirmed a late one may come.
     */
    public void clear(
            LockCell cell,
            LockKind kind,
            Store store,
            byte[] field,
            long leaseMillis,
            BooleanSupplier goesOn,
            Runnable confirmed) {
        undo(cell, kind, store, field, leaseMillis, confirmed, () -> {
            if (goesOn.getAsBoolean()) {
                clear(cell, kind, store, field, leaseMillis, goesOn, confirmed);
            }
        });
    }

    /** Releases a field wherever it may be, as {@link #undo} does, and repeats that at each store until it is confirmed. */
    public void clear(LockCell cell, LockKind kind, byte[] field, long leaseMillis, BooleanSupplier goesOn) {
        for (StoreSteps at : steps) {
            clear(cell, kind, at.store, field, leaseMillis, goesOn, () -> {});
        }
    }

    /** Releases a field at one store. */
    public void undo(LockCell cell, LockKind kind, Store store, byte[] field, long leaseMillis) {
        undo(cell, kind, store, field, leaseMillis, () -> {}, () -> {});
    }

    private void undo(
            LockCell cell,
            LockKind kind,
            Store store,
            byte[] field,
            long leaseMillis,
            Runnable confirmed,
            Runnable givenUp) {
        long lease = TimeUnit.MILLISECONDS.toNanos(leaseMillis) + LeaseTerm.marginNanos(leaseMillis);
        long patience = Math.max(lease, commandNanos);
        new Exchange(exchanges, cell, store.node(), patience, cell.nanos() + patience) {
            @Override
            protected void send(long deadlineNanos, StepListener step) {
                steps.get(store.index()).release(cell.keys, kind, field, deadlineNanos, step);
            }

            @Override
            protected void answered(Outcome outcome, boolean repeated) {
                confirmed.run();
                if (kind.queues() && (outcome instanceof Outcome.Applied || repeated)) {
                    // What was reserved has lowered the presence of this client: the oldest call raises it (rule 46).
                    cell.holdEnded();
                }
            }

            /** Nothing else will undo it: a password or a right that is missing now may be back before the lease is over. */
            @Override
            protected boolean passes(Fault fault) {
                return fault.kind() != Fault.Kind.CLOSED;
            }

            @Override
            protected void gaveUp(Fault fault) {
                log.debug("{}: an undo was given up: {}", cell.keys.named(), fault);
                if (!isUnanswered()) {
                    givenUp.run();
                }
            }

            @Override
            protected void endedLate(Outcome outcome) {
                (outcome instanceof Outcome.Failed ? givenUp : confirmed).run();
            }
        }.start();
    }
}
