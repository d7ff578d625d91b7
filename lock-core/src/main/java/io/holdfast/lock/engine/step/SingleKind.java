package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;

/** The reentrant lock on one store. */
public final class SingleKind implements LockKind {

    private final StoreSteps steps;

    public SingleKind(StoreSteps steps) {
        this.steps = steps;
    }

    @Override
    public Asked acquire(LockCell cell, byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        return steps.acquire(cell.names, field, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step) {
        steps.reenter(hold, count, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, Step step) {
        if (count == 0) {
            steps.release(hold.cell.names, hold.field, deadlineNanos, step);
        } else {
            steps.lower(hold, count, deadlineNanos, step);
        }
    }

    @Override
    public void transfer(Hold hold, byte[] to, long leaseMillis, long deadlineNanos, Step step) {
        steps.transfer(hold, to, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step) {
        steps.extend(hold, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void force(LockCell cell, long deadlineNanos, Step step) {
        steps.force(cell.names, deadlineNanos, step);
    }

    @Override
    public boolean transferable() {
        return true;
    }

    /** One server gives the lock to one of those who ask. */
    @Override
    public Contention contention() {
        return Contention.NONE;
    }
}
