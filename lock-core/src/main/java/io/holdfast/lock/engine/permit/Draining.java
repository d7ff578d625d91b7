package io.holdfast.lock.engine.permit;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.hold.Hold;
import java.util.ArrayList;
import java.util.List;

/** How far one call has come that takes all permits that are left: it looks, takes what it saw, and looks again. */
final class Draining {

    private final List<Hold> granted = new ArrayList<>();
    /** How many were refused last: if no fewer are left, other calls wait for them. */
    private int refused = Integer.MAX_VALUE;

    /** What was taken so far. */
    List<Hold> granted() {
        return granted;
    }

    /** How many to take, now that so many are left; 0 at the end. */
    int next(int available) {
        return available < refused ? Taking.atOnce(available) : 0;
    }

    /** So many were asked for, and these were granted: all of them, or none. */
    void answered(int permits, List<Hold> all) {
        granted.addAll(all);
        refused = all.isEmpty() ? permits : Integer.MAX_VALUE;
    }

    /** So many were asked for in vain: the limit was lowered meanwhile, or it is the end. */
    void failed(int permits, LockException failure) {
        if (failure.reason() != FailureReason.ABOVE_LIMIT) {
            throw failure;
        }
        refused = permits;
    }
}
