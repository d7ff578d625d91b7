package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at one lock after the other, and at each of its keys alone: their slot is being moved (rule 120), or some of them are none that
 * the user may look at. Those count as free.
 */
final class LookEach implements StepListener {

    private final Store store;
    private final List<LockKeys> locks;
    private final long deadlineNanos;
    private final StepListener step;
    private final List<LockSnapshot> seen = new ArrayList<>();
    private boolean overdue;

    LookEach(Store store, List<LockKeys> locks, long deadlineNanos, StepListener step) {
        this.store = store;
        this.locks = locks;
        this.deadlineNanos = deadlineNanos;
        this.step = step;
    }

    void start() {
        new MovingLook<>(store, locks.get(seen.size()), lock -> lock, deadlineNanos, this).look();
    }

    @Override
    public void overdue() {
        if (!overdue) {
            overdue = true;
            step.overdue();
        }
    }

    @Override
    public void ended(Outcome outcome) {
        if (outcome instanceof Outcome.Answer answer) {
            seen.add((LockSnapshot) answer.value());
        } else if (outcome instanceof Outcome.Failed failed && isNoLock(failed)) {
            seen.add(LockSnapshot.NONE);
        } else {
            step.ended(outcome);
            return;
        }
        if (seen.size() == locks.size()) {
            step.ended(new Outcome.Answer(seen));
        } else {
            start();
        }
    }

    private static boolean isNoLock(Outcome.Failed failed) {
        return switch (failed.fault().kind()) {
            case NOPERM, WRONGTYPE -> true;
            default -> false;
        };
    }
}
