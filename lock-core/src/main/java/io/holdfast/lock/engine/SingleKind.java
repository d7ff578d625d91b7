package io.holdfast.lock.engine;

/** The reentrant lock on one store. */
final class SingleKind implements LockKind {

    private final StoreSteps steps;

    SingleKind(Store store, LockNames names) {
        this.steps = new StoreSteps(store, names);
    }

    @Override
    public void acquire(byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        steps.acquire(field, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step) {
        steps.reenter(hold, count, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, Step step) {
        steps.release(hold.field, count, deadlineNanos, step);
    }

    @Override
    public void transfer(Hold hold, byte[] to, long leaseMillis, long deadlineNanos, Step step) {
        steps.transfer(hold.field, to, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step) {
        steps.extend(hold, leaseMillis, deadlineNanos, step);
    }

    @Override
    public void undo(Store store, byte[] field, long deadlineNanos, Step step) {
        steps.release(field, 0, deadlineNanos, step);
    }

    @Override
    public void force(long deadlineNanos, Step step) {
        steps.force(deadlineNanos, step);
    }

    @Override
    public boolean transferable() {
        return true;
    }

    @Override
    public long spreadNanos() {
        return 0;
    }
}
