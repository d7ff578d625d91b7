package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.step.Contention;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one acquisition loop: ask the server, and wait for a reason to ask again.
 *
 * <p><b>Which call asks the server.</b> Calls that wait stand in a queue, and only its head asks; calls without a wait ask
 * once, beside the queue. While a hold of this client that excludes it was seen to be alive a few seconds ago the head does not ask: it
 * would be refused, and the hold's end wakes it. It still asks when that was longer ago, and at every message.
 *
 * <p><b>When the head asks again</b> (rules 24 to 28): when it becomes the head; when a local hold ends; when a
 * subscription is confirmed, because a release may have been missed before; when a message says that the lock was
 * freed; when the lease that it was told of is over; and every few seconds, should all messages be lost, or several
 * times in a second, where none arrive. A message that comes while a request is in flight is remembered: if the
 * request is refused, the head asks again at once.
 *
 * <p>It is there while a call waits or asks, or the release channel is open. Everything here runs within the cell's gate.
 */
public final class AcquisitionLoop implements Waiters, ReleaseChannel.Listener {

    private static final long LONGEST_LOOK_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long AFTER_EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MESSAGE_DUE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LockCell cell;
    private final Acquisitions calls;
    private final Asking asking;
    private final Contention contention;
    /** Calls that wait. */
    private final WaitQueue queue = new WaitQueue();
    /** Calls without a wait that are in flight; null until there are any. */
    private @Nullable WaitQueue singles;
    /** Null while no call needs messages. */
    private @Nullable ReleaseChannel releases;
    /** When the head asks next, if nothing makes it ask before; null until it has to wait. */
    private @Nullable PlannedLook plannedLook;
    /** Null until the lock is given back while a call of this client waits. */
    private @Nullable Turns turns;
    /** A message came while the head's request was in flight. */
    private boolean lookAgain;

    /** Null until a call has to wait. */
    private @Nullable WaitEnds ends;
    /** Null until the head has to wait. */
    private @Nullable Poll poll;

    AcquisitionLoop(LockCell cell, Acquisitions calls) {
        this.cell = cell;
        this.calls = calls;
        this.asking = calls.asking();
        this.contention = asking.place().contention();
    }

    /** The loop of a cell; null while no call wants its lock. */
    public static @Nullable AcquisitionLoop of(LockCell cell) {
        return (AcquisitionLoop) cell.wanting();
    }

    // --- the release channel ---

    @Override
    public void listening(boolean again) {
        asking.silence().heard();
        news(again);
    }

    @Override
    public void deafened() {
        Ticket head = queue.head();
        if (head != null && !head.isBusy() && !cell.holds().exclude(head.kind())) {
            plannedLook().within(poll().deafNanos());
        }
    }

    @Override
    public void released() {
        if (turns != null) {
            turns.heard();
        }
        news(true);
    }

    @Override
    public void unused() {
        if (queue.isEmpty()) {
            closeReleases();
            cell.restIfIdle();
        }
    }

    private void openReleases() {
        ReleaseChannel open = releases;
        if (open == null) {
            open = ReleaseChannel.of(cell, this);
            releases = open;
            open.open();
        }
        open.stay();
    }

    private void closeReleases() {
        ReleaseChannel open = releases;
        if (open != null) {
            releases = null;
            open.close();
        }
    }

    // --- arrival and departure ---

    /** Takes in a call whose owner has no hold. */
    void enter(Ticket ticket) {
        if (ticket.once()) {
            WaitQueue asking = singles;
            if (asking == null) {
                asking = new WaitQueue();
                singles = asking;
            }
            asking.add(ticket);
            ask(ticket);
            return;
        }
        if (queue.isEmpty() && ends != null) {
            ends.answered();
        }
        queue.add(ticket);
        if (queue.head() == ticket) {
            look(ticket, false);
        } else {
            ends().begin(ticket);
        }
    }

    /** Takes a ticket out, if it is here; true if it was the head. */
    boolean remove(Ticket ticket) {
        boolean wasHead = queue.head() == ticket;
        WaitQueue place = ticket.once() ? singles : queue;
        if (place != null) {
            place.remove(ticket);
        }
        if (ends != null) {
            ends.remove(ticket);
        }
        return wasHead;
    }

    /** Takes out the owner's waiting calls. */
    void removeWaiters(Owner owner, Consumer<Ticket> taker) {
        Ticket before = queue.head();
        queue.forEach(owner, waiting -> {
            if (!waiting.isInFlight()) {
                calls.takeOut(cell, waiting);
                calls.undoIfUnclear(cell, waiting);
                taker.accept(waiting);
            }
        });
        if (queue.head() != before) {
            headChanged();
        }
    }

    /** Whether a ticket is still here. A timer's step may come when it has left, or is in another loop. */
    boolean has(Ticket ticket) {
        return ticket.queued && cell.wanting() == this && !ticket.isOver();
    }

    /** Whether nothing waits, asks or listens. */
    @Override
    public boolean isIdle() {
        return queue.isEmpty() && (singles == null || singles.isEmpty()) && releases == null;
    }

    /** From any thread. */
    @Override
    public int waiters() {
        return queue.size();
    }

    /** From any thread. */
    @Override
    public List<Waiter> all() {
        return queue.all(cell.nanos());
    }

    /**
     * The waiter that may receive the lock without its being freed, if there is one. Not one with an attempt of unknown
     * outcome: a hand-over brings a field of its own, and nothing would undo the other.
     */
    @Nullable
    public Ticket receiver() {
        Ticket head = queue.head();
        return head == null || head.isInFlight() || head.maybeApplied || head.isOver() ? null : head;
    }

    /** Whether messages arrive, as far as this client knows. */
    private boolean isListening() {
        return releases != null && releases.isConfirmed();
    }

    /** A hold of this client has ended otherwise than by a hand-over: the head asks at once (rule 28). */
    @Override
    public void holdEnded() {
        Ticket head = queue.head();
        if (head == null) {
            headChanged();
        } else {
            lookAgain |= head.isInFlight();
            look(head, true);
        }
    }

    /** Nothing waits, asks or listens any more. */
    @Override
    public void end() {
        if (plannedLook != null) {
            plannedLook.end();
        }
        if (ends != null) {
            ends.end();
        }
    }

    /** The client is closed: all calls fail. */
    @Override
    public void close() {
        queue.forEach(ticket -> calls.failClosed(cell, ticket));
        if (singles != null) {
            singles.forEach(ticket -> calls.failClosed(cell, ticket));
        }
        closeReleases();
        end();
    }

    // --- the loop: ask, and wait for a reason to ask again ---

    /** The queue has a new head, or none. */
    void headChanged() {
        if (ends != null) {
            ends.refuseLateIfSeenHeld();
        }
        Ticket head = queue.head();
        if (head != null) {
            look(head, false);
        } else if (releases != null) {
            releases.closeSoon();
        }
    }

    /** Lets the head ask now; unless insisting, not while a hold of this client that excludes it was seen to be alive lately. */
    private void look(Ticket head, boolean insist) {
        if (head.isInFlight() || head.isOver()) {
            return;
        }
        if (!insist && cell.holds().exclude(head.kind()) && ends().isSeenHeld(head.kind())) {
            awaitNews(head, -1);
        } else {
            ask(head);
        }
    }

    void ask(Ticket ticket) {
        ask(ticket, asking.roomLine().isEmpty());
    }

    /** @param inTurn whether no older call waits for room */
    private void ask(Ticket ticket, boolean inTurn) {
        byte[] field = ticket.field == null ? asking.facts().newField(ticket.owner) : ticket.field;
        ticket.asks(field, cell.nanos());
        if (queue.head() == ticket) {
            lookAgain = false;
            if (plannedLook != null) {
                plannedLook.forget();
            }
        }
        ticket.answerDueNanos = asking.deadlines()
                .answerDueNanos(ticket, ends == null ? ticket.sentNanos : ends.countsFromNanos(ticket));
        Attempt attempt = new Attempt(cell, this, ticket, field);
        if (inTurn) {
            ticket.asked = asking.place()
                    .acquire(cell, ticket.kind(), field, ticket.leaseMillis, ticket.answerDueNanos, attempt);
        } else {
            attempt.ended(new Outcome.Failed(asking.roomLine().full()));
        }
    }

    /**
     * A fault has passed, or there is room: from any thread.
     *
     * @param inTurn whether the call has waited for room, and this is its turn
     */
    void askAgain(Ticket ticket, boolean inTurn) {
        cell.run(() -> {
            if (has(ticket) && !ticket.isInFlight()) {
                ask(ticket, inTurn || asking.roomLine().isEmpty());
            }
        });
    }

    /** A request has its answer, and the ticket is still waiting for it. */
    void onAnswer(Ticket ticket, byte[] field, Outcome outcome) {
        ticket.answered();
        if (outcome instanceof Outcome.Granted granted) {
            ticket.field = null;
            contention.decided();
            if (turns != null) {
                turns.granted(cell.nanos());
            }
            calls.grant(cell, ticket, field, granted);
            if (ends != null) {
                ends.tellLateIfSeenHeld();
            }
        } else if (outcome instanceof Outcome.Refused refused) {
            ticket.field = null;
            onRefused(ticket, refused);
            ends().tellLate(ticket);
        } else if (outcome instanceof Outcome.Failed failed) {
            ends().failed(ticket, failed);
        } else {
            throw new IllegalStateException("an acquisition ended with " + Printable.message(outcome));
        }
        cell.restIfIdle();
    }

    /** The lock was granted to this client, by an answer to a request or to a hand-over. */
    void granted() {
        if (ends != null) {
            ends.granted();
        }
    }

    /** A call beside the queue was granted: a head that its hold does not exclude can enter too. */
    void grantedBeside(Hold hold) {
        Ticket head = queue.head();
        if (head != null && !hold.kind().excludes(head.kind())) {
            lookAgain |= head.isInFlight();
            look(head, true);
        }
    }

    /** An abandoned request was granted after all. */
    void undoLate(Ticket ticket, byte[] field) {
        calls.undoLate(cell, ticket, field);
    }

    private void onRefused(Ticket ticket, Outcome.Refused refused) {
        ends().refused(ticket);
        if (ticket.isOver()) {
            return;
        }
        ticket.maybeApplied = false;
        ticket.forgetFailures();
        boolean split = contention.splits(refused);
        Hold own = cell.holds().alive(ticket.owner);
        if (own != null) {
            boolean wasHead = calls.takeOut(cell, ticket);
            calls.reenter(own, ticket);
            if (wasHead) {
                headChanged();
            }
        } else if (ticket.leftNanos(cell.nanos()) <= 0) {
            if (!ends().staysBehindItsOwn(ticket)) {
                boolean wasHead = calls.takeOut(cell, ticket);
                calls.refuse(cell, ticket);
                if (wasHead) {
                    headChanged();
                }
            }
        } else if (lookAgain && !split) {
            ask(ticket);
        } else {
            awaitNews(ticket, refused.timeToLiveMillis());
            if (split) {
                pause();
            }
        }
    }

    /** Waits for a message, the end of the lease, the next look or the deadline, whichever comes first. */
    private void awaitNews(Ticket head, long timeToLiveMillis) {
        openReleases();
        ends().begin(head);
        PlannedLook plan = plannedLook();
        plan.after(nextLookNanos(head));
        if (timeToLiveMillis >= 0) {
            plan.within(Math.min(TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis), LONGEST_LOOK_AHEAD_NANOS)
                    + AFTER_EXPIRY_NANOS);
        }
    }

    /** A hold of this client ends without a message: while it is trusted, the head need not look. */
    private long nextLookNanos(Ticket head) {
        if (cell.holds().exclude(head.kind())) {
            return ends().trustedNanos(head.kind());
        }
        return isListening() ? poll().listeningNanos() : poll().deafNanos(cell.keys, asking.silence());
    }

    WaitEnds ends() {
        if (ends == null) {
            ends = new WaitEnds(cell, calls, this, queue);
        }
        return ends;
    }

    /** A request has had its time. */
    void giveUpUnanswered(Ticket ticket) {
        ends().giveUpUnanswered(ticket);
    }

    private Poll poll() {
        if (poll == null) {
            poll = new Poll(asking.facts().runtime());
        }
        return poll;
    }

    private PlannedLook plannedLook() {
        if (plannedLook == null) {
            plannedLook = new PlannedLook(asking.facts().runtime(), cell, this::lookAsPlanned);
        }
        return plannedLook;
    }

    private void lookAsPlanned() {
        Ticket head = queue.head();
        if (head != null) {
            look(head, true);
        }
    }

    /** Several clients want the lock and none has it. */
    private void pause() {
        plannedLook().after(contention.pauseNanos());
    }

    /** The lock may be free. */
    private void news(boolean insist) {
        Ticket head = queue.head();
        lookAgain = head != null && head.isInFlight();
        if (head == null || contention.isDeaf()) {
            return;
        }
        long pause = pauseNanos();
        if (pause > 0 && !head.isInFlight()) {
            plannedLook().after(pause);
        } else {
            look(head, insist);
        }
    }

    // --- turns ---

    /**
     * Whose turn it is, from the first time on that the lock is given back while a call of this client waits.
     *
     * @param hold what is given back
     */
    public Turns turns(Hold hold) {
        Turns known = turns;
        if (known == null) {
            known = new Turns(hold.acquiredNanos, cell.keys.layout.sharesWithRedisson());
            turns = known;
        }
        return known;
    }

    /** After a real release in the middle of a run: the head asks when the others have heard of the release too. */
    public void afterYielding(Turns ours, long listeners) {
        ours.released(listeners, isListening());
        Ticket head = queue.head();
        if (head == null || head.isInFlight()) {
            return;
        }
        if (ours.hasOthers() && isListening()) {
            plannedLook().after(ours.hasHeard() ? pauseNanos() : MESSAGE_DUE_NANOS);
        } else {
            look(head, true);
        }
    }

    /** How long the head lets other clients go first. */
    private long pauseNanos() {
        long spread = contention.spreadNanos();
        return spread > 0 || turns == null ? spread : turns.pauseNanos(cell.nanos());
    }
}
