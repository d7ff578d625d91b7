package io.holdfast.lock.engine.wait;

/** How long calls put up with faults: those with a wait until it is over, the others for the longest outage. */
public final class Deadlines {

    private final long commandNanos;
    private final long maxOutageNanos;
    private final long writeOutageNanos;

    /** @param writesPutUp whether a write that takes no lock puts up with an outage, too */
    public Deadlines(long commandNanos, long maxOutageNanos, boolean writesPutUp) {
        this.commandNanos = commandNanos;
        this.maxOutageNanos = maxOutageNanos;
        this.writeOutageNanos = writesPutUp ? maxOutageNanos : 0;
    }

    /**
     * When the answer to a request is due. Normally now + command timeout, even if less of the wait remains (rule 20). A
     * retry that is sent after the wait has only what remains of wait + command timeout.
     *
     * @param sinceNanos since when a call without a limit has had no answer
     */
    public long answerDueNanos(Ticket ticket, long sinceNanos) {
        long now = ticket.sentNanos;
        if (!ticket.limited()) {
            return now + Math.max(commandNanos, outageLeftNanos(sinceNanos, now));
        }
        long left = ticket.leftNanos(now);
        return now + (left < 0 ? commandNanos + left : Math.max(commandNanos, left));
    }

    /**
     * When trying a write ends that neither takes nor releases: with the longest outage since it was asked for, also when
     * most of it was spent waiting for a turn. A full command timeout is left in any case; over a quorum it is all, since a
     * majority that is away is no blip.
     */
    public long writeDueNanos(long askedNanos, long now) {
        return now + Math.max(commandNanos, writeOutageNanos - (now - askedNanos));
    }

    /** How much longer a call with a limit may be tried again; one that asks just once has none, unless it is unclear. */
    long waitLeftNanos(Ticket ticket, long now) {
        long left = ticket.leftNanos(now);
        // Of a field that is being undone already nothing more can be learned.
        boolean unclear = ticket.maybeApplied && ticket.field != null;
        return unclear ? Math.max(left, ticket.startNanos + commandNanos - now) : left;
    }

    /** How much longer a call without a limit puts up with an outage. */
    long outageLeftNanos(long sinceNanos, long now) {
        return maxOutageNanos - (now - sinceNanos);
    }

    /** How much longer a call with a limit may stay to learn whether the lock is held: its wait and a command timeout. */
    long boundLeftNanos(Ticket ticket, long now) {
        return ticket.leftNanos(now) + commandNanos;
    }
}
