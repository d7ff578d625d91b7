package io.holdfast.lock.engine;

/** How long calls put up with faults: those with a wait until it is over, the others for the longest outage. */
final class Patience {

    private final long commandNanos;
    private final long maxOutageNanos;

    Patience(long commandNanos, long maxOutageNanos) {
        this.commandNanos = commandNanos;
        this.maxOutageNanos = maxOutageNanos;
    }

    /**
     * When the answer to a request is due. It has a full command timeout, never just the rest of the wait (rule 20); but
     * one that is sent when the wait is over, behind another that was not answered, has what is left of the call's bound.
     */
    long answerDueNanos(Ticket ticket) {
        long now = ticket.sentNanos;
        if (ticket.limited()) {
            long left = ticket.leftNanos(now);
            return now + (left < 0 ? commandNanos + left : Math.max(commandNanos, left));
        }
        long since = ticket.failures == 0 ? now : ticket.troubleSinceNanos;
        return now + Math.max(commandNanos, maxOutageNanos - (now - since));
    }

    /**
     * When trying to give something back ends: with the longest outage since that was asked for, also when most of it
     * was spent waiting for a turn. A full command timeout is left in any case.
     */
    long releaseDueNanos(long askedNanos, long now) {
        return now + Math.max(commandNanos, maxOutageNanos - (now - askedNanos));
    }

    /** How much longer a failing call may be tried again; one that asks just once has none, unless it is unclear. */
    long leftNanos(Ticket ticket, long now) {
        if (!ticket.limited()) {
            return maxOutageNanos - (now - ticket.troubleSinceNanos);
        }
        long left = ticket.leftNanos(now);
        // Of a field that is being undone already nothing more can be learned.
        boolean unclear = ticket.maybeApplied && ticket.field != null;
        return unclear ? Math.max(left, ticket.startNanos + commandNanos - now) : left;
    }
}
