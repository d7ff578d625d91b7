package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Outcome;
import java.util.concurrent.TimeUnit;

/**
 * The loop of calls that await one condition of a fair lock (rules 63, 64). They ask for the reasons for which waiting calls of the
 * lock do, and once more when they leave; the head's looks keep the places of all of them, in the condition and in the lock's
 * queue. What a signal has moved into that queue hears of it when it is its turn.
 */
final class AwaitLoop extends EachAsks {

    private final Awaiting kind;

    AwaitLoop(LockCell cell, Awaiting kind, Acquisitions calls) {
        super(cell, calls);
        this.kind = kind;
    }

    @Override
    boolean isFor(LockKind other) {
        return kind.equals(other);
    }

    @Override
    boolean endsBy(Ticket ticket, byte[] field, Outcome outcome) {
        if (outcome instanceof Outcome.Failed) {
            return false;
        }
        AwaitTicket call = (AwaitTicket) ticket;
        boolean wasConfirmed = call.isConfirmed();
        if (call.findsNoHold(outcome)) {
            calls.failWithoutHold(cell, call, field, call.given);
            return true;
        }
        if (!wasConfirmed) {
            calls.givenUp(call.given);
        }
        return false;
    }

    /** Only a signal or the end of its time makes any of them the next, and those are not told by a release of this client. */
    @Override
    public void holdReleased() {}

    /** One that stands in the lock's queue behind a head that does not may be the first there. */
    @Override
    void staysBehind(Ticket ticket, Outcome.Refused refused, boolean split) {
        super.staysBehind(ticket, refused, split);
        if (!ticket.isBusy() && queue.head() != ticket && refused.timeToLiveMillis() > 0) {
            plannedLook().within(TimeUnit.MILLISECONDS.toNanos(refused.timeToLiveMillis() + 1));
        }
    }
}
