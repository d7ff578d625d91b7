package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;

/** Begins the loops of locks, of which a lock that is wanted in both ways has two, and one more for each condition that is awaited. */
public final class Loops implements LoopStart {

    @Override
    public AcquisitionLoop begin(LockCell cell, LockKind kind, Acquisitions calls) {
        AcquisitionLoop loop = loop(cell, kind, calls);
        Waiters other = cell.wanting();
        cell.wantedBy(other == null ? loop : SeveralLoops.of(loop, loop.isFor(Queued.FAIR), other));
        return loop;
    }

    private static AcquisitionLoop loop(LockCell cell, LockKind kind, Acquisitions calls) {
        if (kind instanceof Awaiting awaiting) {
            return new AwaitLoop(cell, awaiting, calls);
        }
        return kind.queues() ? new EachAsks(cell, calls) : new HeadAsks(cell, calls);
    }
}
