package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.key.Owner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tickets that wait for one lock, in the order of their arrival; any of them can leave at any time. */
final class WaitQueue {

    private @Nullable Ticket head;
    private @Nullable Ticket tail;
    /** Null until a second ticket stands behind the first: most queues have one ticket, and then none. */
    private @Nullable ByOwner byOwner;
    /** Written by steps only, one at a time; any thread may read it. */
    private volatile int size;

    @Nullable
    Ticket head() {
        return head;
    }

    boolean isEmpty() {
        return head == null;
    }

    int size() {
        return size;
    }

    void add(Ticket ticket) {
        Ticket last = tail;
        ticket.previous = last;
        if (last == null) {
            head = ticket;
        } else {
            last.next = ticket;
            index(last).add(ticket);
        }
        tail = ticket;
        ticket.queued = true;
        resize(1);
    }

    void remove(Ticket ticket) {
        if (!ticket.queued) {
            return;
        }
        Ticket before = ticket.previous;
        Ticket after = ticket.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        ticket.previous = null;
        ticket.next = null;
        ticket.queued = false;
        if (head == null) {
            byOwner = null;
        } else if (byOwner != null) {
            byOwner.remove(ticket);
        }
        resize(-1);
    }

    /** @param last the last ticket before the one that comes: while there is no index, the only one */
    private ByOwner index(Ticket last) {
        ByOwner index = byOwner;
        if (index == null) {
            index = new ByOwner();
            index.add(last);
            byOwner = index;
        }
        return index;
    }

    /** Steps run one at a time, so no other write comes between the reading and the writing. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void resize(int change) {
        size += change;
    }

    /** Visits the owner's tickets, oldest first; the visitor may remove the one it is given. */
    void forEach(Owner owner, Consumer<Ticket> visitor) {
        ByOwner index = byOwner;
        if (index != null) {
            index.forEach(owner, visitor);
        } else if (head != null && head.owner.equals(owner)) {
            visitor.accept(head);
        }
    }

    /** Visits every ticket; the visitor may remove the one it is given. */
    void forEach(Consumer<Ticket> visitor) {
        Ticket ticket = head;
        while (ticket != null) {
            Ticket following = ticket.next;
            visitor.accept(ticket);
            ticket = following;
        }
    }
}
