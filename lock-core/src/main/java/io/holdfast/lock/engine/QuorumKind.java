package io.holdfast.lock.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The reentrant lock over several independent nodes (RedLock): every step goes to all nodes at once, and a majority
 * decides. There is no hand-over, since one could end with the old field on some nodes and the new one on others.
 *
 * <p>When several clients ask at once, each may get some nodes and nobody a majority. All give back what they got and
 * ask again after a random pause, which grows while that goes on.
 */
final class QuorumKind implements LockKind {

    private static final int HIGHEST_CONTENTION = 9;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Engine engine;
    private final LockCell cell;
    private final Quorum quorum;
    private final List<StoreSteps> steps;

    /** How often attempts have ended without a winner lately. */
    private int contention;

    QuorumKind(Engine engine, LockCell cell, LockNames names) {
        this.engine = engine;
        this.cell = cell;
        this.quorum = engine.quorum();
        this.steps = engine.stores().stream()
                .map(store -> new StoreSteps(store, names.at(store)))
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

    // --- contention ---

    /** Somebody has a majority. */
    void decided() {
        contention = Math.max(0, contention - 1);
    }

    /** Nobody has a majority: how long to wait before asking again. */
    long pauseNanos() {
        contention = Math.min(HIGHEST_CONTENTION, contention + 1);
        long longest = Math.min(LONGEST_PAUSE_NANOS, quorum.roundNanos() << contention);
        return 1 + engine.runtime().random(longest);
    }

    @Override
    public long spreadNanos() {
        return contention == 0 ? 0 : engine.runtime().random(quorum.roundNanos() << Math.min(contention, 4));
    }

    // --- steps ---

    @Override
    public void acquire(byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        new QuorumAcquire(engine, cell, this, field, leaseMillis, step).start();
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step) {
        new QuorumStep(engine, cell, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                to.reenter(hold, count, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, Step step) {
        new QuorumStep(engine, cell, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                to.release(hold.field, count, deadlineNanos, answer);
            }

            @Override
            boolean isFinal() {
                return count == 0;
            }
        }.start();
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step) {
        new QuorumStep(engine, cell, this, hold, step) {
            @Override
            void send(StoreSteps to, Step answer) {
                to.extend(hold, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void undo(Store store, byte[] field, long deadlineNanos, Step step) {
        steps.get(store.index()).release(field, 0, deadlineNanos, step);
    }

    @Override
    public void force(long deadlineNanos, Step step) {
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
