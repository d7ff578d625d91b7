package io.holdfast.lock.engine.wait;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The grants to calls of one loop that replicas have yet to confirm (rule 85), and the calls of the same owners, of any loop of the
 * lock, that were refused because of them: no other owner was seen to hold the lock, so those are asked again (rule 77). Belongs
 * to the cell's steps.
 */
final class Unconfirmed {

    private final List<Ticket> granted = new ArrayList<>();
    private final List<Ticket> refused = new ArrayList<>();
    /** Those of the granted whose fields are gone. */
    private final Set<Ticket> gone = new HashSet<>();

    void add(Ticket ticket) {
        granted.add(ticket);
    }

    /** A grant came. The server has no field that excludes it any more: such grants from before were freed by force. */
    void excludedBy(Ticket ticket) {
        for (Ticket earlier : granted) {
            if (earlier.kind().excludes(ticket.kind())) {
                gone.add(earlier);
            }
        }
    }

    /** Whether the server has granted the lock once more since, to a call that excludes this one. */
    boolean isGone(Ticket ticket) {
        return gone.contains(ticket);
    }

    /** Whether a call was refused because of a grant to its own owner; then it is kept. */
    boolean keep(Ticket ticket) {
        boolean behindItsOwn = granted.stream().anyMatch(own -> own.owner.equals(ticket.owner));
        if (behindItsOwn) {
            refused.add(ticket);
        }
        return behindItsOwn;
    }

    /** When the replicas will have been heard, at the latest; now, if none are asked. */
    long heardByNanos(long now) {
        long latest = 0;
        for (Ticket ticket : granted) {
            latest = Math.max(latest, ticket.answerDueNanos - now);
        }
        return now + latest;
    }

    /**
     * The replicas of a grant were heard, whether its call still wants it or not.
     *
     * @return the calls of its owner that were refused because of it
     */
    List<Ticket> remove(Ticket ticket) {
        granted.remove(ticket);
        gone.remove(ticket);
        List<Ticket> again =
                refused.stream().filter(own -> own.owner.equals(ticket.owner)).toList();
        refused.removeAll(again);
        return again;
    }
}
