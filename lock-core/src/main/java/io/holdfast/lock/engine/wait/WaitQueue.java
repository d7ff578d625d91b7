package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.Owner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The tickets that wait for one lock, in the order of their arrival; any of them can leave at any time. */
final class WaitQueue {

    private static final int MOST_LOOKS = 64;

    private @Nullable Ticket head;
    private @Nullable Ticket tail;
    /** Null until a second ticket stands behind the first: most queues have one ticket, and then none. */
    private @Nullable ByOwner byOwner;
    /** Written by steps only, one at a time; any thread may read it. */
    private volatile int size;
    /** Odd while a step changes the queue: what was read meanwhile may be no queue at all. */
    private int version;

    private static final VarHandle VERSION;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(WaitQueue.class, "version", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

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
        beginChange();
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
        endChange();
    }

    /** A ticket passes those that came before it. */
    void toFront(Ticket ticket) {
        Ticket before = ticket.previous;
        Ticket first = head;
        if (before == null || first == null) {
            return;
        }
        beginChange();
        Ticket after = ticket.next;
        before.next = after;
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        ticket.previous = null;
        ticket.next = first;
        first.previous = ticket;
        head = ticket;
        endChange();
    }

    void remove(Ticket ticket) {
        if (!ticket.queued) {
            return;
        }
        beginChange();
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
        endChange();
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

    private void beginChange() {
        VERSION.setOpaque(this, version + 1);
        VarHandle.storeStoreFence();
    }

    private void endChange() {
        VERSION.setRelease(this, version + 1);
    }

    /**
     * The tickets in their order. Any thread: it waits for no step, but looks again if one has changed the queue meanwhile. Where
     * that happens every time, what was seen last is given, in which tickets that came or left may be missing.
     */
    List<Waiter> all(long now) {
        List<Ticket> seen = new ArrayList<>();
        for (int look = 0; look < MOST_LOOKS; look++) {
            int before = (int) VERSION.getAcquire(this);
            seen.clear();
            int room = size;
            for (Ticket ticket = head; ticket != null && seen.size() < room; ticket = ticket.next) {
                seen.add(ticket);
            }
            VarHandle.loadLoadFence();
            if ((before & 1) == 0 && (int) VERSION.getOpaque(this) == before) {
                break;
            }
        }
        return seen.stream().distinct().map(ticket -> ticket.asWaiter(now)).toList();
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

    /** The first ticket that is so; null if none is. */
    @Nullable
    Ticket first(Predicate<Ticket> which) {
        for (Ticket ticket = head; ticket != null; ticket = ticket.next) {
            if (which.test(ticket)) {
                return ticket;
            }
        }
        return null;
    }

    /** The smallest number of the fields of its tickets; the greatest there is if none has one. */
    long oldestField() {
        long oldest = Long.MAX_VALUE;
        for (Ticket ticket = head; ticket != null; ticket = ticket.next) {
            byte[] field = ticket.field;
            oldest = field == null ? oldest : Math.min(oldest, Fields.number(field));
        }
        return oldest;
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
