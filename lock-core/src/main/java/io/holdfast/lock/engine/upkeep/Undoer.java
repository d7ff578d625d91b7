package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.EndedFields;
import io.holdfast.lock.engine.step.EndedFields.Ended;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes what calls may have left on the server: outcomes that stayed unknown, grants that came too late, lost holds.
 * It repeats the release of a field until the server confirms it or the lease is over, but never while the one before may
 * still be answered; and once more at the next connection, for as long as it is not confirmed, or where another process has
 * confirmed it (rules 128, 129). Fields are never used twice, so that an undo can hit nothing but what it is meant for.
 */
public final class Undoer {

    private static final Logger log = LoggerFactory.getLogger(Undoer.class);

    /** How many fields are undone at a time at a new connection: those who hold and those who wait have a server meanwhile. */
    private static final int TOGETHER = 100;

    /** How long those that fail are tried again. */
    private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** By the index of their store. */
    private final List<StoreSteps> steps;

    private final Exchanges exchanges;
    private final ClientFacts facts;

    public Undoer(List<StoreSteps> steps, Exchanges exchanges, ClientFacts facts) {
        this.steps = steps;
        this.exchanges = exchanges;
        this.facts = facts;
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
        Runnable remember = remembering(cell.keys, kind, store, field);
        undo(cell, kind, store, field, leaseMillis, confirmed, () -> {
            if (goesOn.getAsBoolean()) {
                clear(cell, kind, store, field, leaseMillis, goesOn, confirmed);
            } else {
                remember.run();
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
        undo(cell, kind, store, field, leaseMillis, () -> {}, remembering(cell.keys, kind, store, field));
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
        new Undo(cell, cell.keys, kind, store, field, Math.max(lease, facts.commandNanos())) {
            @Override
            protected void answered(Outcome outcome, boolean repeated) {
                confirmed.run();
                if (kind.queues() && (outcome instanceof Outcome.Applied || repeated)) {
                    // What was reserved has lowered the presence of this client: the oldest call raises it (rule 46).
                    cell.holdEnded();
                }
            }

            @Override
            void confirmedLate() {
                confirmed.run();
            }

            @Override
            void givenUp() {
                givenUp.run();
            }
        }.start();
    }

    // --- at the next connection ---

    /** What remembers a field for the next connection; if that is there already, it is released once more at once. */
    private Runnable remembering(LockKeys keys, LockKind kind, Store store, byte[] field) {
        int disconnections = store.disconnections();
        return () -> {
            ended(store).unconfirmed(keys, kind, field, facts.nanos());
            repeatUnconfirmed(store, disconnections);
        };
    }

    /** If there has been another connection since. */
    private void repeatUnconfirmed(Store store, int disconnections) {
        if (store.isUp() && store.disconnections() != disconnections) {
            new Repeats(store, ended(store).takeUnconfirmed()).begin();
        }
    }

    private EndedFields ended(Store store) {
        return steps.get(store.index()).ended;
    }

    /** There is another connection to a keeper of locks: what it may have or get of calls that have ended is undone there. */
    public void repeat(Store store, Object keeper) {
        new Repeats(store, ended(store).takeDue(store.backend(), keeper)).begin();
    }

    /**
     * The releases that are repeated at one connection, so many at a time. One that fails gives its place to the next, since what keeps
     * a lock shall not have to wait for it. It comes again when the others have been sent, and what fails until the end is remembered
     * for the next connection.
     */
    private final class Repeats {

        private final Store store;
        private final Deque<Ended> due;
        private final Deque<Ended> failed = new ArrayDeque<>(0);
        private final SerialGate gate = new SerialGate(facts.runtime().steps());
        private final long untilNanos = facts.nanos() + REPEAT_NANOS;
        private final int disconnections;

        Repeats(Store store, Deque<Ended> due) {
            this.store = store;
            this.disconnections = store.disconnections();
            this.due = due;
        }

        void begin() {
            for (int i = Math.min(TOGETHER, due.size()); i > 0; i--) {
                gate.run(() -> next(0));
            }
        }

        /** @param failures how many have failed one after the other at this place, which pauses ahead of one that has failed before */
        private void next(int failures) {
            Ended fresh = due.poll();
            if (fresh != null || failures == 0) {
                release(fresh == null ? failed.poll() : fresh, failures);
            } else if (facts.nanos() - untilNanos >= 0) {
                failed.forEach(next -> ended(store).unconfirmed(next.lock(), next.kind(), next.field(), facts.nanos()));
                failed.clear();
                repeatUnconfirmed(store, disconnections);
            } else {
                exchanges.after(
                        Backoff.nanos(failures, facts.runtime()),
                        () -> gate.run(() -> release(failed.poll(), failures)));
            }
        }

        private void release(@Nullable Ended next, int failures) {
            if (next == null || facts.isClosed()) {
                return;
            }
            new Undo(gate, next.lock(), next.kind(), store, next.field(), facts.commandNanos()) {
                @Override
                protected void answered(Outcome outcome, boolean repeated) {
                    next(0);
                }

                @Override
                protected boolean passes(Fault fault) {
                    return false;
                }

                @Override
                protected void gaveUp(Fault fault) {
                    super.gaveUp(fault);
                    next(failures + 1);
                }

                @Override
                void confirmedLate() {}

                @Override
                void givenUp() {
                    failed.addLast(next);
                }

                @Override
                protected void endedLate(Outcome outcome) {
                    super.endedLate(outcome);
                    if (due.isEmpty()) {
                        next(1);
                    }
                }
            }.start();
        }
    }

    /** The release of a field, until it is confirmed or its time is over. */
    private abstract class Undo extends Exchange {

        private final LockKeys keys;
        private final LockKind kind;
        private final Store store;
        private final byte[] field;

        Undo(SerialGate gate, LockKeys keys, LockKind kind, Store store, byte[] field, long patienceNanos) {
            super(exchanges, gate, store.node(), patienceNanos, facts.nanos() + patienceNanos);
            this.keys = keys;
            this.kind = kind;
            this.store = store;
            this.field = field;
        }

        abstract void confirmedLate();

        abstract void givenUp();

        @Override
        protected void send(long deadlineNanos, StepListener step) {
            steps.get(store.index()).release(keys, kind, field, deadlineNanos, step);
        }

        /** Nothing else will undo it: a password or a right that is missing now may be back before the lease is over. */
        @Override
        protected boolean passes(Fault fault) {
            return fault.kind() != Fault.Kind.CLOSED;
        }

        @Override
        protected void gaveUp(Fault fault) {
            log.debug("{}: an undo was given up: {}", keys.named(), fault);
            if (!isUnanswered()) {
                givenUp();
            }
        }

        @Override
        protected void endedLate(Outcome outcome) {
            if (outcome instanceof Outcome.Failed) {
                givenUp();
            } else {
                confirmedLate();
            }
        }
    }
}
