package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import org.jspecify.annotations.Nullable;

/** One store, which keeps all locks of the client. */
public final class OneStore implements Place {

    private final StoreSteps steps;

    public OneStore(StoreSteps steps) {
        this.steps = steps;
    }

    @Override
    public Asked acquire(LockCell cell, Asker asker, byte[] field, long deadlineNanos, StepListener step) {
        return steps.acquire(cell.keys, asker, field, deadlineNanos, step);
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, StepListener step) {
        steps.reenter(hold, count, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, StepListener step) {
        if (count == 0) {
            steps.release(hold.cell.keys, hold.kind(), hold.field, deadlineNanos, step);
        } else {
            steps.lower(hold, count, deadlineNanos, step);
        }
    }

    @Override
    public void endTurn(Hold hold, int distance, long deadlineNanos, StepListener step) {
        steps.endTurn(hold, distance, deadlineNanos, step);
    }

    @Override
    public void transfer(Hold hold, HandOver over, long deadlineNanos, StepListener step) {
        steps.transfer(hold, over, deadlineNanos, step);
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, StepListener step) {
        steps.extend(hold, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void signal(Hold hold, Awaiting condition, byte[] id, boolean all, long deadlineNanos, StepListener step) {
        steps.signal(hold, condition, id, all, deadlineNanos, step);
    }

    @Override
    public void sweep(LockCell cell, long oldest, long deadlineNanos) {
        steps.sweep(cell.keys, oldest, deadlineNanos);
    }

    @Override
    public void takeWordBack(LockCell cell, long deadlineNanos) {
        WordTakenBack.send(steps, cell.keys, deadlineNanos);
    }

    @Override
    public void force(LockCell cell, LockKind kind, long deadlineNanos, StepListener step) {
        steps.force(cell.keys, kind, deadlineNanos, step);
    }

    @Override
    public boolean handsOver() {
        return steps.mayGrant();
    }

    @Override
    public LockKind spoken(LockKind kind) {
        return steps.spoken(kind);
    }

    @Override
    public @Nullable LockKind inQueue(LockKind kind) {
        return steps.store.deniesPlaces() ? null : steps.spoken(kind).inQueue();
    }

    @Override
    public void deniedPlace() {
        steps.store.deniedPlace();
    }

    /** One server gives the lock to one of those that ask. */
    @Override
    public Contention contention() {
        return Contention.NONE;
    }
}
