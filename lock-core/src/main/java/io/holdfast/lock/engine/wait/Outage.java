package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.Alarm;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.step.FailoverGuard;
import io.holdfast.lock.spi.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one lock that the server has left without an answer since it gave one, and the calls without a limit
 * that put up with it (rule 21).
 *
 * <p>It counts once for all calls that wait, from the sending of the first such request: those that waited then end
 * together, whichever of them asked. A call that comes while it lasts counts from its own beginning.
 *
 * <p>Everything here runs within the cell's gate.
 */
final class Outage {

    private final LockCell cell;
    private final WaitQueue queue;
    private final Acquisitions calls;
    private final Asking asking;

    /** What the latest request met; null while requests are answered. */
    private @Nullable Fault fault;

    /** Since when; while nodes are left out, and during a pause, when that is over. */
    private long sinceNanos;
    /** Goes off when a call may have put up with it for long enough; null until a call without a limit waits. */
    private @Nullable Alarm alarm;

    Outage(LockCell cell, Acquisitions calls, WaitQueue queue) {
        this.cell = cell;
        this.queue = queue;
        this.calls = calls;
        this.asking = calls.asking();
    }

    // --- when there is one ---

    /** A request that was sent at this time met a fault. */
    void met(Fault latest, long sentNanos) {
        if (fault == null) {
            sinceNanos = sentNanos;
        }
        fault = latest;
    }

    /** Nodes are left alone for so long, and answer: that is no outage, and one that follows begins when it is over. */
    void quarantined(Fault latest, long nanos) {
        fault = latest;
        sinceNanos = cell.nanos() + nanos;
    }

    /** The server has granted or refused a request. */
    void over() {
        fault = null;
    }

    boolean isOn() {
        return fault != null;
    }

    /** Whether it is the pause of a new primary, and known to last for longer than this. */
    boolean isPauseBeyond(long nanos) {
        return pauseLeftNanos() > nanos;
    }

    /** How much is left of a new primary's pause; 0 if there is none. */
    private long pauseLeftNanos() {
        boolean isPause = fault != null && fault.kind() == Fault.Kind.PAUSED;
        return isPause ? Math.max(0, sinceNanos - cell.nanos()) : 0;
    }

    /** What keeps a ticket from an answer. */
    Fault faultOf(Ticket ticket) {
        Fault latest = fault;
        long pauseLeft = pauseLeftNanos();
        if (latest != null && pauseLeft > 0) {
            return FailoverGuard.paused(latest.node(), ticket.maybeApplied, pauseLeft);
        }
        return latest == null
                ? Failures.noAnswer(cell.node(), ticket.maybeApplied)
                : new Fault(latest.kind(), ticket.maybeApplied, latest.node(), latest.detail());
    }

    // --- how long it is put up with ---

    /** Since when a call has put up with it; if its request, which is being sent, is the first one, from now on. */
    long sinceNanos(Ticket ticket) {
        return sinceNanos(ticket, ticket.sentNanos);
    }

    private long sinceNanos(Ticket ticket, long sentNanos) {
        long began = isOn() ? sinceNanos : sentNanos;
        return began - ticket.startNanos > 0 ? began : ticket.startNanos;
    }

    /** How much longer a call without a limit puts up with it. */
    long leftNanos(Ticket ticket, long now) {
        Ticket head = queue.head();
        long sentNanos = head != null && head.isInFlight() ? head.sentNanos : now;
        return asking.deadlines().outageLeftNanos(sinceNanos(ticket, sentNanos), now);
    }

    /** A call without a limit waits. */
    void watch() {
        watchFor(asking.maxOutageNanos());
    }

    private void watchFor(long nanos) {
        Alarm set = alarm;
        if (set == null) {
            set = new Alarm(asking.facts().runtime(), cell, this::onAlarm);
            alarm = set;
        }
        set.setFor(cell.nanos() + nanos);
    }

    private void onAlarm() {
        endFor(0);
        watchForTheNext();
    }

    /** An outage that begins later ends later than this; a request in flight has a time of its own. */
    private void watchForTheNext() {
        long now = cell.nanos();
        long[] least = {Ticket.NEVER};
        queue.forEach(ticket -> {
            if (!ticket.limited()) {
                long left = ticket.isInFlight() ? asking.maxOutageNanos() : leftNanos(ticket, now);
                least[0] = Math.min(least[0], left);
            }
        });
        if (least[0] != Ticket.NEVER) {
            watchFor(least[0]);
        }
    }

    /**
     * Fails the calls that have put up with it for as long as they do. One of them may have been the head.
     *
     * @param earlyNanos by so much the next try would be too late
     */
    void endFor(long earlyNanos) {
        long now = cell.nanos();
        queue.forEach(ticket -> {
            if (!ticket.limited() && !ticket.isInFlight() && leftNanos(ticket, now) <= earlyNanos) {
                calls.takeOut(cell, ticket);
                calls.fail(cell, ticket, faultOf(ticket));
            }
        });
    }

    /** Nothing waits any more. */
    void end() {
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
