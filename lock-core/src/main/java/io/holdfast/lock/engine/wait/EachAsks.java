package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The loop of locks whose server keeps a queue: each call asks when it comes, which gives it a place there, and waits for its
 * turn (rules 39 to 48, 122).
 *
 * <p><b>When a call asks again:</b> when a message names it, since the lock is reserved for it then; when a subscription is
 * confirmed, because that message may have been missed; when another of its client has lost its place. Only the oldest, the head, asks for other reasons: when the lease
 * that it was told of is over; when a hold of this client has ended and it is likely to be the next; when a message names it as the
 * deputy, and the one that was named may not have come; and every few seconds, which keeps the places of all.
 */
class EachAsks extends AcquisitionLoop {

    private static final long CLAIM_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(Queued.CLAIM_WINDOW_MILLIS);
    /** After the claim window: the server counts it from when the message was published. */
    private static final long DEPUTY_NANOS = CLAIM_WINDOW_NANOS + TimeUnit.MILLISECONDS.toNanos(1);
    /** What all fields of this client begin with. */
    private final String client;
    /** How many the server has admitted, as far as was heard; what matters are differences. */
    private int admitted;
    /** When what keeps its calls out is over, as the last refusal said; null if that is not known, or was used. */
    private @Nullable Long changesNanos;
    /** Whether a call was granted what it asked for, and had heard meanwhile that there may be more. */
    private boolean mayBeMore;

    /** When this client looks as the deputy, if it was named as one since it looked so last. */
    private @Nullable Long deputyNanos;

    EachAsks(LockCell cell, Acquisitions calls) {
        super(cell, calls);
        this.client = cell.facts.clientId() + ':';
    }

    @Override
    boolean queues() {
        return true;
    }

    @Override
    boolean isFor(LockKind kind) {
        return kind.queues() && !(kind instanceof Awaiting);
    }

    @Override
    int admitted() {
        return admitted;
    }

    @Override
    boolean speaksForAll(Ticket refused) {
        return queue.head() == refused;
    }

    @Override
    boolean asksForItself(Ticket ticket) {
        return true;
    }

    @Override
    int position(Ticket ticket) {
        if (ticket.isPlaced()) {
            return ticket.before(admitted) + 1;
        }
        return queue.head() == ticket ? 1 : queue.size();
    }

    // --- reasons to ask ---

    @Override
    void arrived(Ticket ticket) {
        ask(ticket);
    }

    /** It has asked already; the looks of the head before it are its own from now on. */
    @Override
    void headComes(Ticket head) {
        if (head.isBusy()) {
            return;
        }
        if (mayBeMore) {
            mayBeMore = false;
            hear(head);
            return;
        }
        plannedLook().within(nextLookNanos(head));
        planLookAsDeputy(head);
        Long changes = changesNanos;
        if (changes != null) {
            changesNanos = null;
            plannedLook().within(Math.max(0, changes - cell.nanos()) + AFTER_EXPIRY_NANOS);
        }
    }

    @Override
    public void listening(boolean again) {
        calls.asking().silence().heard();
        if (again && !queue.isEmpty()) {
            sweep();
        }
        queue.forEach(this::hear);
    }

    /**
     * The server may have been replaced by one that knows an older queue, where calls stand that have left since. Those that wait
     * for conditions stand there too, once they were signalled.
     */
    private void sweep() {
        long oldest = Long.MAX_VALUE;
        for (AcquisitionLoop loop : all(cell)) {
            oldest = Math.min(oldest, loop.queue.oldestField());
        }
        if (oldest < Long.MAX_VALUE) {
            calls.asking().place().sweep(cell, oldest, cell.nanos() + cell.facts.commandNanos());
        }
    }

    @Override
    public void released(String message) {
        Ticket head = queue.head();
        if (head == null || ReleaseChannel.isOfWaiter(message)) {
            return;
        }
        int end = message.indexOf(';');
        if (end < 0) {
            hear(head);
            return;
        }
        for (int from = 0; from < end; ) {
            int space = message.indexOf(' ', from);
            int to = space < 0 || space > end ? end : space;
            Ticket named = ofThisClient(message, from, to);
            if (named != null) {
                hear(named);
            }
            if (named != null || !message.startsWith(client, from)) {
                admitted++;
            }
            from = to + 1;
        }
        if (message.startsWith(client, end + 1)) {
            deputyNanos = cell.nanos() + DEPUTY_NANOS;
            plannedLook().within(DEPUTY_NANOS);
        }
    }

    /** A look that was sent before the claim window is over does not stand for the one behind it. */
    private void planLookAsDeputy(Ticket head) {
        Long due = deputyNanos;
        if (due == null) {
            return;
        }
        if (due - head.sentNanos > 0) {
            plannedLook().within(Math.max(0, due - cell.nanos()));
        } else {
            deputyNanos = null;
        }
    }

    /** The waiting call whose field stands in a message; null if that is another client's, or has left. */
    private @Nullable Ticket ofThisClient(String message, int from, int to) {
        if (!message.startsWith(client, from)) {
            return null;
        }
        byte[] field = message.substring(from + client.length(), to).getBytes(StandardCharsets.UTF_8);
        return queue.first(ticket -> Arrays.equals(field, ticket.field));
    }

    /** A hold is being released: the request of the one that is likely to be the next follows right behind (rule 47). */
    @Override
    public void holdReleased() {
        Ticket head = queue.head();
        if (head == null) {
            noneWaits();
        } else if (head.before(admitted) == 0) {
            hear(head);
        }
    }

    /** Nothing else may tell of it: the lease that was known was that of the holder before. */
    @Override
    public void holdEnded() {
        Ticket head = queue.head();
        if (head == null) {
            noneWaits();
        } else {
            hear(head);
        }
    }

    /** The others have lost theirs too, and no message names a call that has none: each asks, once (rule 40). */
    @Override
    void hasLostItsPlace() {
        queue.forEach(ticket -> {
            if (ticket.standing) {
                ticket.standing = false;
                hear(ticket);
            }
        });
    }

    // --- answers ---

    /** A plain call that is denied its place waits as it would without a queue (rule 132). */
    @Override
    boolean endsBy(Ticket ticket, byte[] field, Outcome outcome) {
        LockKind plain = ticket.kind().outOfQueue();
        if (plain == null || ticket.isOver() || ticket.mayBeAtServer() || !isDenied(outcome)) {
            return false;
        }
        calls.asking().place().deniedPlace();
        remove(ticket);
        ticket.goesOnAs(plain);
        calls.enter(cell, ticket);
        return true;
    }

    private static boolean isDenied(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                && !failed.fault().maybeApplied()
                && (failed.fault().kind() == Fault.Kind.NOPERM || failed.fault().kind() == Fault.Kind.OOM);
    }

    /** Its message may come later, and is not counted again then: the call is not in the queue any more. */
    @Override
    void isGranted(Ticket ticket, Outcome.Granted granted) {
        admitted = ticket.admittedWithIt(admitted);
        // Of what several may have, the news was for the next call as well.
        mayBeMore = ticket.lookAgain && !ticket.kind().excludes(ticket.kind());
    }

    @Override
    void staysBehind(Ticket ticket, Outcome.Refused refused, boolean split) {
        if (ticket.lookAgain || refused.timeToLiveMillis() == Outcome.Refused.AGAIN) {
            ask(ticket);
            return;
        }
        awaitMessage(ticket);
        long left = refused.timeToLiveMillis();
        changesNanos = left < 0 ? null : Long.valueOf(cell.nanos() + TimeUnit.MILLISECONDS.toNanos(left));
        if (queue.head() == ticket) {
            planLook(ticket, refused.timeToLiveMillis());
            planLookAsDeputy(ticket);
        }
    }
}
