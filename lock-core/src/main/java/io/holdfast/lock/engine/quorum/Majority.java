package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Asked;
import io.holdfast.lock.engine.step.Contention;
import io.holdfast.lock.engine.step.HandOver;
import io.holdfast.lock.engine.step.Place;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.engine.step.WordTakenBack;

/**
 * Several independent nodes (RedLock): every step goes to all of them at once, and a majority decides. There is no hand-over, since one could end with the old field on some nodes and the new one on others.
 */
public final class Majority implements Place {

    private final Quorum quorum;

    public Majority(Quorum quorum) {
        this.quorum = quorum;
    }

    @Override
    public Asked acquire(LockCell cell, Asker asker, byte[] field, long deadlineNanos, StepListener step) {
        QuorumAcquire round = new QuorumAcquire(quorum, cell, asker, field, step);
        round.start();
        return round;
    }

    @Override
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, StepListener step) {
        new QuorumStep(quorum, hold, step) {
            @Override
            void send(StoreSteps to, StepListener answer) {
                to.reenter(hold, count, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void release(Hold hold, int count, long deadlineNanos, StepListener step) {
        new QuorumStep(quorum, hold, step) {
            @Override
            void send(StoreSteps to, StepListener answer) {
                if (count > 0) {
                    to.lower(hold, count, deadlineNanos, answer);
                } else if (hold.leases.at(to.store).isAwaited()) {
                    to.releaseBehind(hold.cell.keys, hold.kind(), hold.field, deadlineNanos, answer);
                } else {
                    to.release(hold.cell.keys, hold.kind(), hold.field, deadlineNanos, answer);
                }
            }

            @Override
            boolean isFinal() {
                return count == 0;
            }
        }.start();
    }

    @Override
    public void endTurn(Hold hold, int distance, long deadlineNanos, StepListener step) {
        new QuorumStep(quorum, hold, step) {
            @Override
            void send(StoreSteps to, StepListener answer) {
                if (hold.leases.at(to.store).isAwaited()) {
                    to.releaseBehind(hold.cell.keys, hold.kind(), hold.field, deadlineNanos, answer);
                } else {
                    to.endTurn(hold, distance, deadlineNanos, answer);
                }
            }

            @Override
            boolean isFinal() {
                return true;
            }
        }.start();
    }

    @Override
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, StepListener step) {
        new QuorumStep(quorum, hold, step) {
            @Override
            void send(StoreSteps to, StepListener answer) {
                to.extend(hold, leaseMillis, deadlineNanos, answer);
            }
        }.start();
    }

    @Override
    public void takeWordBack(LockCell cell, long deadlineNanos) {
        for (StoreSteps to : quorum.steps()) {
            if (!quorum.owesAnswers(to.store)) {
                WordTakenBack.send(to, cell.keys, deadlineNanos);
            }
        }
    }

    @Override
    public void force(LockCell cell, LockKind kind, long deadlineNanos, StepListener step) {
        new QuorumForce(quorum, cell, kind, step).start(deadlineNanos);
    }

    @Override
    public void transfer(Hold hold, HandOver over, long deadlineNanos, StepListener step) {
        throw new UnsupportedOperationException("a lock over several nodes is not handed over");
    }

    @Override
    public boolean handsOver() {
        return false;
    }

    @Override
    public Contention contention() {
        return new SplitVotes(quorum);
    }
}
