package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one acquisition loop: ask the server, and wait for a reason to ask again.
 *
 * <p>Calls that wait stand in a queue here; calls without a wait ask once, beside it. Which of the waiting calls ask, and
 * when, depends on where their order is kept: of {@code HeadAsks} only the first asks, of {@code EachAsks} each does, since the
 * order is the server's. All else is the same for both.
 *
 * <p>It is there while a call waits or asks, or the release channel is open. Everything here runs within the cell's gate.
 */
public abstract class AcquisitionLoop implements Waiters, ReleaseChannel.Listener {

    private static final long LONGEST_LOOK_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(10);

    static final long AFTER_EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    final LockCell cell;
    final Acquisitions calls;
    /** Calls that wait. */
    final WaitQueue queue = new WaitQueue();
    /** The head as it was told last, or as it came; null if there was none. */
    private @Nullable Ticket toldHead;

    /** Calls without a wait that are in flight; null until there are any. */
    private @Nullable WaitQueue singles;
    /** Null while no call needs messages. */
    private @Nullable ReleaseChannel releases;
    /** When the head asks next, if nothing makes it ask before; null until it has to wait. */
    private @Nullable PlannedLook plannedLook;

    /** Null until a call has to wait. */
    private @Nullable WaitEnds ends;

    AcquisitionLoop(LockCell cell, Acquisitions calls) {
        this.cell = cell;
        this.calls = calls;
    }

    /** The loop of a cell where calls for this kind wait; null while no such call wants the lock. */
    static @Nullable AcquisitionLoop of(LockCell cell, LockKind kind) {
        Waiters wanting = cell.wanting();
        return wanting == null ? null : (AcquisitionLoop) wanting.inOrderOf(kind);
    }

    /** The loops of a cell with calls that become re-entries when their owner has the lock: all but those of conditions. */
    static void each(LockCell cell, Consumer<AcquisitionLoop> visitor) {
        for (LockKind kind : List.of(Reentrant.KIND, Queued.FAIR)) {
            AcquisitionLoop loop = of(cell, kind);
            if (loop != null) {
                visitor.accept(loop);
            }
        }
    }

    /** Every loop of a cell. */
    static List<AcquisitionLoop> all(LockCell cell) {
        Waiters wanting = cell.wanting();
        return wanting == null ? List.of() : SeveralLoops.in(wanting);
    }

    @Override
    public final @Nullable Waiters inOrderOf(LockKind kind) {
        return isFor(kind) ? this : null;
    }

    // --- what depends on where the order is kept ---

    /** Whether the order of its calls is kept at the server. */
    abstract boolean queues();

    /** Whether calls for this kind wait here. */
    abstract boolean isFor(LockKind kind);

    /** A call that waits has come, and stands in the queue. */
    abstract void arrived(Ticket ticket);

    /** The queue has a new head. */
    abstract void headComes(Ticket head);

    /**
     * A request was refused, whose call goes on waiting.
     *
     * @param split whether several clients want the lock and none has it
     */
    abstract void staysBehind(Ticket ticket, Outcome.Refused refused, boolean split);

    /** Whether what a call was refused says that no other would be granted the lock either. */
    abstract boolean speaksForAll(Ticket refused);

    /** Whether a call learns what it waits for by a request of its own, and not by the head's. */
    abstract boolean asksForItself(Ticket ticket);

    /** How many calls come before this one, and itself: of those that are known here, or at the server that keeps the order. */
    abstract int position(Ticket ticket);

    /** How many the server has admitted from its queue, as far as was heard. */
    int admitted() {
        return 0;
    }

    /**
     * A request has an answer, or none will come, and the ticket is still waiting for it.
     *
     * @return whether the call has ended by what the answer says, and whatever it may have granted is being undone; or has left this loop
     */
    boolean endsBy(Ticket ticket, byte[] field, Outcome outcome) {
        return false;
    }

    /** A request was refused, or may have been. */
    void mayHaveLeftWord(Ticket ticket) {}

    /** A request is answered: the lock is the ticket's. */
    void isGranted(Ticket ticket, Outcome.Granted granted) {}

    /** Whether several clients want the lock and none has it, as this answer says. */
    boolean splits(Outcome.Refused refused) {
        return false;
    }

    /** A call that had a place in the queue at the server has lost it. */
    void hasLostItsPlace() {}

    /** The owner of a call that waits has the lock as another kind, beside which it may have it as this one. */
    void ownerHolds(Ticket waiting) {
        hear(waiting);
    }

    /** No call waits any more. */
    void noneWaits() {
        if (releases != null) {
            releases.closeSoon();
        }
    }

    /** A call beside the queue was granted the lock. */
    void grantedBeside(Hold hold) {}

    // --- the release channel ---

    @Override
    public final void unused() {
        if (queue.isEmpty()) {
            closeReleases();
        }
    }

    @Override
    public final void deafened() {
        Ticket head = queue.head();
        if (head != null && !head.isBusy() && !cell.holds().exclude(head.kind())) {
            PlannedLook plan = plannedLook();
            plan.within(plan.poll.deafNanos());
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

    /** Whether messages arrive, as far as this client knows. */
    final boolean isListening() {
        return releases != null && releases.isConfirmed();
    }

    /** How many tokens a request asks for; 1 if the lock is not to be handed on without asking. */
    int tokens(Ticket ticket) {
        return 1;
    }

    // --- arrival and departure ---

    /** Takes in a call whose owner has no hold. */
    final void enter(Ticket ticket) {
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
        arrived(ticket);
        if (queue.head() == ticket) {
            headIsTold();
        }
    }

    /** Takes a ticket out, if it is here; true if it was the head. */
    final boolean remove(Ticket ticket) {
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

    /** An owner has the lock now: its waiting calls that the hold decides are taken out; another one asks at once. */
    final void granted(Hold hold, Consumer<Ticket> taker) {
        queue.forEach(hold.owner, waiting -> {
            if (cell.holds().deciding(hold.owner, waiting.kind()) == null) {
                ownerHolds(waiting);
            } else if (!waiting.isInFlight()) {
                calls.takeOut(cell, waiting);
                calls.undoIfUnclear(cell, waiting);
                taker.accept(waiting);
            }
        });
    }

    /** Whether a ticket is still here. A timer's step may come when it has left, or is in another loop. */
    final boolean has(Ticket ticket) {
        return ticket.queued && of(cell, ticket.kind()) == this && !ticket.isOver();
    }

    @Override
    public final @Nullable Waiters withoutIdle() {
        if (!queue.isEmpty() || (singles != null && !singles.isEmpty()) || releases != null) {
            return this;
        }
        end();
        return null;
    }

    /** From any thread. */
    @Override
    public final int waiters() {
        return queue.size();
    }

    /** From any thread. */
    @Override
    public final List<Waiter> all() {
        return queue.all(cell.nanos());
    }

    /** Nothing waits, asks or listens any more. */
    private void end() {
        if (plannedLook != null) {
            plannedLook.end();
        }
        if (ends != null) {
            ends.end();
        }
    }

    /** The client is closed: all calls fail. */
    @Override
    public final void close() {
        queue.forEach(ticket -> calls.failClosed(cell, ticket));
        noneWaits();
        if (singles != null) {
            singles.forEach(ticket -> calls.failClosed(cell, ticket));
        }
        closeReleases();
        end();
    }

    // --- the loop: ask, and wait for a reason to ask again ---

    /** The queue may have a new head, or none (rule 27). */
    @Override
    public final void stepEnded() {
        if (queue.head() == toldHead) {
            return;
        }
        if (ends != null) {
            ends.refuseLateIfSeenHeld();
        }
        headIsTold();
        Ticket head = toldHead;
        if (head != null) {
            headComes(head);
        } else {
            noneWaits();
        }
    }

    /** The present head need not be told that it is the head. */
    final void headIsTold() {
        toldHead = queue.head();
    }

    /** There is a reason to ask: the ticket does so now, or when its request in flight is refused (rule 26). */
    final void hear(Ticket ticket) {
        if (ticket.isInFlight()) {
            ticket.lookAgain = true;
        } else if (!ticket.isOver()) {
            ask(ticket);
        }
    }

    public final int distance() {
        boolean isDeaf = !isListening() && plannedLook != null && plannedLook.poll.isDeaf();
        return calls.asking().distance().steps(isDeaf);
    }

    final void ask(Ticket ticket) {
        ask(ticket, ticket.givesUp() || calls.asking().roomLine().isEmpty());
    }

    /** @param inTurn whether no older call waits for room */
    private void ask(Ticket ticket, boolean inTurn) {
        Asking asking = calls.asking();
        byte[] field = ticket.field == null ? ticket.newField(asking.facts()) : ticket.field;
        ticket.asks(field, heldBeside(ticket), distance(), tokens(ticket), cell.nanos());
        if (queue.head() == ticket && plannedLook != null) {
            plannedLook.forget();
        }
        ticket.answerDueNanos = asking.deadlines()
                .answerDueNanos(ticket, ends == null ? ticket.sentNanos : ends.countsFromNanos(ticket));
        Attempt attempt = new Attempt(cell, this, ticket, field);
        if (inTurn) {
            asking.exchanges().hasten(cell);
            ticket.asked = asking.place().acquire(cell, ticket, field, ticket.answerDueNanos, attempt);
        } else {
            attempt.ended(new Outcome.Failed(asking.roomLine().full()));
        }
    }

    /** The field under which the ticket's owner holds the lock as another kind. Whatever comes of it, that hold goes on beside it. */
    private byte @Nullable [] heldBeside(Ticket ticket) {
        Hold other = ticket.kind().isApart() ? cell.holds().alive(ticket.owner) : null;
        if (other == null) {
            return null;
        }
        other.goesOnBeside();
        return other.field;
    }

    /**
     * A fault has passed, or there is room: from any thread.
     *
     * @param inTurn whether the call has waited for room, and this is its turn
     */
    final void askAgain(Ticket ticket, boolean inTurn) {
        cell.run(() -> {
            if (has(ticket) && !ticket.isInFlight()) {
                ask(ticket, inTurn || calls.asking().roomLine().isEmpty());
            }
        });
    }

    /** A request has its answer, and the ticket is still waiting for it. */
    final void onAnswer(Ticket ticket, byte[] field, Outcome outcome) {
        calls.asking().distance().answered(outcome, cell.nanos() - ticket.sentNanos);
        ticket.answered();
        if (endsBy(ticket, field, outcome)) {
            return;
        }
        if (ticket.standing && outcome.isAnew()) {
            ticket.standing = false;
            hasLostItsPlace();
        }
        if (outcome instanceof Outcome.Granted granted) {
            isGranted(ticket, granted);
            ticket.leavesPlace();
            calls.grant(cell, ticket, field, granted);
            if (ends != null) {
                ends.refuseLateIfSeenHeld();
            }
        } else if (outcome instanceof Outcome.Refused refused) {
            ticket.refusedAt(refused.place(), admitted());
            onRefused(ticket, refused);
            ends().tellLate(ticket);
        } else if (outcome instanceof Outcome.Failed failed) {
            ends().failed(ticket, failed);
        } else {
            throw new IllegalStateException("an acquisition ended with " + Printable.message(outcome));
        }
    }

    /** The lock was granted to this client, by an answer to a request or to a hand-over. */
    final void granted() {
        if (ends != null) {
            ends.granted();
        }
    }

    private void onRefused(Ticket ticket, Outcome.Refused refused) {
        mayHaveLeftWord(ticket);
        ends().refused(ticket);
        if (ticket.isOver()) {
            return;
        }
        ticket.maybeApplied = false;
        ticket.forgetFailures();
        boolean split = splits(refused);
        Hold own = cell.holds().deciding(ticket.owner, ticket.kind());
        if (own != null) {
            calls.takeOut(cell, ticket);
            calls.undoIfUnclear(cell, ticket);
            calls.reenter(own, ticket);
        } else if (ticket.leftNanos(cell.nanos()) > 0 || isToAskAgain(refused)) {
            staysBehind(ticket, refused, split);
        } else if (!ends().staysBehindItsOwn(ticket)) {
            calls.takeOut(cell, ticket);
            calls.refuse(cell, ticket);
        }
    }

    /** Whether no other owner was seen to hold the lock: the server had more to drop from its queue than one step does. */
    private boolean isToAskAgain(Outcome.Refused refused) {
        return queues() && refused.timeToLiveMillis() == Outcome.Refused.AGAIN;
    }

    /** Waits for a message or the deadline, whichever comes first. */
    final void awaitMessage(Ticket ticket) {
        openReleases();
        ends().begin(ticket);
    }

    /** Plans when the head asks, if nothing makes it ask before: at the next look, and at the end of the lease. */
    final void planLook(Ticket head, long timeToLiveMillis) {
        PlannedLook plan = plannedLook();
        long expiry = timeToLiveMillis < 0
                ? LONGEST_LOOK_AHEAD_NANOS
                : Math.min(TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis), LONGEST_LOOK_AHEAD_NANOS);
        boolean isBeforeAnyPoll = expiry < Poll.SHORTEST_NANOS;
        plan.after(isBeforeAnyPoll ? expiry + AFTER_EXPIRY_NANOS : nextLookNanos(head));
        if (timeToLiveMillis >= 0) {
            plan.within(expiry + AFTER_EXPIRY_NANOS);
        }
    }

    /** In how long the head is to ask if it hears nothing. */
    long nextLookNanos(Ticket head) {
        Poll poll = plannedLook().poll;
        return isListening()
                ? poll.listeningNanos()
                : poll.deafNanos(cell.keys, calls.asking().silence());
    }

    final WaitEnds ends() {
        if (ends == null) {
            ends = new WaitEnds(cell, calls, this, queue);
        }
        return ends;
    }

    final PlannedLook plannedLook() {
        if (plannedLook == null) {
            plannedLook = new PlannedLook(calls.asking().facts().runtime(), cell, this::lookAsPlanned);
        }
        return plannedLook;
    }

    private void lookAsPlanned() {
        Ticket head = queue.head();
        if (head != null && !head.isInFlight() && !head.isOver()) {
            ask(head);
        }
    }
}
