package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.key.Owner;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tickets of a queue by their owners: whatever one owner is waiting for is found without a look at the others. */
final class ByOwner {

    /** The newest ticket of each owner; its older ones hang on it. */
    private final Map<Owner, Ticket> newest = new HashMap<>();

    void add(Ticket ticket) {
        Ticket older = newest.put(ticket.owner, ticket);
        if (older != null) {
            older.newer = ticket;
            ticket.older = older;
        }
    }

    void remove(Ticket ticket) {
        Ticket older = ticket.older;
        Ticket newer = ticket.newer;
        if (older != null) {
            older.newer = newer;
        }
        if (newer != null) {
            newer.older = older;
        } else if (older != null) {
            newest.put(ticket.owner, older);
        } else {
            newest.remove(ticket.owner);
        }
        ticket.older = null;
        ticket.newer = null;
    }

    /** Visits the owner's tickets, oldest first; the visitor may remove the one it is given. */
    void forEach(Owner owner, Consumer<Ticket> visitor) {
        Ticket ticket = oldest(owner);
        while (ticket != null) {
            Ticket following = ticket.newer;
            visitor.accept(ticket);
            ticket = following;
        }
    }

    private @Nullable Ticket oldest(Owner owner) {
        Ticket ticket = newest.get(owner);
        while (ticket != null && ticket.older != null) {
            ticket = ticket.older;
        }
        return ticket;
    }
}
