package io.holdfast.lock.engine.wait;

import java.util.ArrayList;
import java.util.List;

/**
 * The grants of one lock that replicas have yet to confirm (rule 85), and the calls of the same owners that were refused
 * because of them: no other owner was seen to hold the lock, so those are asked again (rule 77). Belongs to the cell's steps.
 */
final class Unconfirmed {

    private final List<Ticket> granted = new ArrayList<>();
    private final List<Ticket> refused = new ArrayList<>();

    void add(Ticket ticket) {
        granted.add(ticket);
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
        List<Ticket> again =
                refused.stream().filter(own -> own.owner.equals(ticket.owner)).toList();
        refused.removeAll(again);
        return again;
    }
}
