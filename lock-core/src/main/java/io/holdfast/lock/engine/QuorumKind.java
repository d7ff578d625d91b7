package io.holdfast.lock.engine;

import java.util.List;

/**
 * The reentrant lock over several independent nodes (RedLock): every step goes to all nodes at once, and a majority
 * decides. There is no hand-over, since one could end with the old field on some nodes and the new one on others.
 */
final class QuorumKind implements LockKind {

    private final Engine engine;
    private final Quorum quorum;
    private final List<StoreSteps> steps;

    QuorumKind(Engine engine, Quorum quorum) {
        this.engine = engine;
        this.quorum = quorum;
        this.steps = engine.stores().stream()
                .map(store -> new StoreSteps(store, engine.fields()))
                .toList();
    }

    List<StoreSteps> steps() {
        return steps;
    }

    int majority() {
        return Leases.majority(steps.size());
    }

    Quorum quorum() {
        return quorum;
    }

    /** What regains nodes for a hold. */
    Joins joins(Hold hold, QuorumLeases leases) {
        return new Joins(engine, this, hold, leases);
    }

    @Override
    public Asked acquire(LockCell cell, byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        QuorumAcquire round = new QuorumAcquire(engine, cell, this, field, leaseMillis, step);
        round.start();
        return round;
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step) {
        new QuorumStep(engine, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                to.reenter(hold, count, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, Step step) {
        new QuorumStep(engine, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                if (count > 0) {
                    to.lower(hold, count, deadlineNanos, answer);
                } else if (hold.leases.at(to.store).isAwaited()) {
                    to.releaseBehind(hold.cell.names, hold.field, deadlineNanos, answer);
                } else {
                    to.release(hold.cell.names, hold.field, deadlineNanos, answer);
                }
            }

            @Override
            boolean isFinal() {
                return count == 0;
            }
        }.start();
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step) {
        new QuorumStep(engine, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                to.extend(hold, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void undo(LockCell cell, Store store, byte[] field, long deadlineNanos, Step step) {
        steps.get(store.index()).release(cell.names, field, deadlineNanos, step);
    }

    @Override
    public void force(LockCell cell, long deadlineNanos, Step step) {
        new QuorumForce(engine, cell, this, step).start(deadlineNanos);
    }

    @Override
    public void transfer(Hold hold, byte[] to, long leaseMillis, long deadlineNanos, Step step) {
        throw new UnsupportedOperationException("a lock over several nodes is not handed over");
    }

    @Override
    public boolean transferable() {
        return false;
    }
}
