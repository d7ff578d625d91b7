package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.kind.LockKind;

/** Begins the loops of locks, of which a lock that is wanted in both ways has two. */
public final class Loops implements LoopStart {

    @Override
    public AcquisitionLoop begin(LockCell cell, LockKind kind, Acquisitions calls) {
        AcquisitionLoop loop = kind.queues() ? new EachAsks(cell, calls) : new HeadAsks(cell, calls);
        Waiters other = cell.wanting();
        if (other == null) {
            cell.wantedBy(loop);
        } else {
            cell.wantedBy(kind.queues() ? new BothLoops(loop, other) : new BothLoops(other, loop));
        }
        return loop;
    }
}
