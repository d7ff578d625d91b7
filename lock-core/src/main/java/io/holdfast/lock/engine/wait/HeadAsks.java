package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.step.Contention;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.Place;
import org.jspecify.annotations.Nullable;

/**
 * The loop of locks whose server keeps no order: calls that wait stand in a queue here, and only its head asks (rule 25).
 *
 * <p>While a hold of this client that excludes it was seen to be alive a few seconds ago the head does not ask: it would be
 * refused, and the hold's end wakes it. It still asks when that was longer ago, and at every message.
 *
 * <p><b>When the head asks again</b> (rules 24 to 28): when it becomes the head; when a local hold ends; when a
 * subscription is confirmed, because a release may have been missed before; when a message says that the lock was
 * freed; when the lease that it was told of is over; and every few seconds, should all messages be lost, or several
 * times in a second, where none arrive. A message that comes while a request is in flight is remembered: if the
 * request is refused, the head asks again at once.
 *
 * <p>Beside a queue that the server keeps for calls of other kinds these calls would be refused for ever: each that waits takes a place
 * in it, as the fair lock's do, and goes on in their loop (rule 132).
 */
public final class HeadAsks extends AcquisitionLoop {

    /** How the message begins of a release that is reserved for a client, whose id follows. */
    private static final String NEXT = "next ";

    private final Contention contention;
    /** Null until the lock is given back while a call of this client waits. Any thread may look at it. */
    private volatile @Nullable Turns turns;
    /** Null until the lock is reserved for another client, and from the next grant on. */
    private @Nullable Reservation reservation;
    /** Whether a message has named this client while the head's request was in flight. */
    private boolean called;
    /** Whether word of this client may be at the server. */
    private boolean hasWord;
    /**
     * Whether there is a queue at the server with fair calls, as the last release has said. One of plain calls alone is to end: each that
     * comes would take a place since others have.
     */
    private boolean besideQueue;

    HeadAsks(LockCell cell, Acquisitions calls) {
        super(cell, calls);
        this.contention = calls.asking().place().contention();
    }

    /** The loop of a cell; null while no call wants its lock so. */
    public static @Nullable HeadAsks of(LockCell cell) {
        Waiters wanting = cell.wanting();
        return wanting == null ? null : (HeadAsks) wanting.inOrderOf(Reentrant.KIND);
    }

    @Override
    boolean queues() {
        return false;
    }

    @Override
    boolean isFor(LockKind kind) {
        return !kind.queues();
    }

    @Override
    boolean speaksForAll(Ticket refused) {
        return true;
    }

    @Override
    boolean asksForItself(Ticket ticket) {
        return queue.head() == ticket;
    }

    @Override
    int position(Ticket ticket) {
        return queue.head() == ticket ? 1 : queue.size();
    }

    // --- reasons to ask ---

    @Override
    void arrived(Ticket ticket) {
        if (isBesideItsOwn(ticket)) {
            queue.toFront(ticket);
        }
        if (queue.head() == ticket) {
            look(ticket, false);
        } else {
            ends().begin(ticket);
        }
    }

    /**
     * Whether a call's owner holds the lock as another kind, beside which it may have it as this one. Those that came before the
     * call wait for that hold, so it passes them (rule 50).
     */
    private boolean isBesideItsOwn(Ticket ticket) {
        return ticket.kind().isApart() && cell.holds().alive(ticket.owner) != null;
    }

    @Override
    void ownerHolds(Ticket waiting) {
        queue.toFront(waiting);
        hear(waiting);
    }

    @Override
    void headComes(Ticket head) {
        look(head, false);
    }

    @Override
    public void listening(boolean again) {
        besideQueue = false;
        calls.asking().silence().heard();
        news(again);
    }

    @Override
    public void released(String message) {
        if (ReleaseChannel.isOfWaiter(message)) {
            if (turns != null) {
                turns.wanted(cell.nanos());
            }
        } else if (message.startsWith(NEXT)) {
            if (isNamed(message.substring(NEXT.length()))) {
                isCalled();
            } else {
                isReserved();
            }
        } else {
            if (turns != null) {
                turns.heard();
            }
            besideQueue = message.indexOf(';') >= 0 && Fields.namesOthers(message);
            takePlaces();
            news(true);
        }
    }

    /** Whether a message names this client. One of an older client leaves of the word of one that is far all but one '*' in place. */
    private boolean isNamed(String word) {
        String id = cell.facts.clientId();
        return word.startsWith(id) && word.substring(id.length()).chars().allMatch(mark -> mark == '*');
    }

    /** Beside a queue of fair calls those that wait take places in it, while it is heard of; one whose request is under way does so when it is refused. */
    private void takePlaces() {
        if (!besideQueue || !isListening()) {
            return;
        }
        queue.forEach(ticket -> {
            LockKind queued = calls.asking().place().inQueue(ticket.kind());
            if (queued != null && !ticket.isBusy()) {
                remove(ticket);
                ticket.goesOnAs(queued);
                calls.enter(cell, ticket);
            }
        });
    }

    /** The lock is free, and reserved for this client: its head asks at once, or when its request in flight is refused. */
    private void isCalled() {
        if (turns != null) {
            turns.heard();
        }
        Ticket head = queue.head();
        if (head != null) {
            called = head.isInFlight();
            reservation = null;
            hear(head);
        }
    }

    /** The lock is free, and reserved for another client: if that does not come, the head asks when its time is over. */
    private void isReserved() {
        called = false;
        Ticket head = queue.head();
        if (head != null) {
            reservation = new Reservation(cell, head.isInFlight());
            plannedLook().within(ReservedTurns.GRACE_IS_OVER_NANOS);
        }
    }

    @Override
    public void holdReleased() {
        holdEnded();
    }

    /** A hold of this client has ended otherwise than by a hand-over: the head asks at once (rule 28). */
    @Override
    public void holdEnded() {
        Ticket head = queue.head();
        if (head == null) {
            noneWaits();
        } else {
            hear(head);
        }
    }

    /** A head that the hold of a call beside the queue does not exclude can enter too. */
    @Override
    void grantedBeside(Hold hold) {
        Ticket head = queue.head();
        if (head != null && !hold.kind().excludes(head.kind())) {
            hear(head);
        }
    }

    /** The lock may be free. */
    private void news(boolean insist) {
        Ticket head = queue.head();
        if (head == null) {
            return;
        }
        head.lookAgain = head.isInFlight();
        if (contention.isDeaf()) {
            return;
        }
        long pause = pauseNanos();
        if (pause > 0 && !head.isInFlight()) {
            plannedLook().after(pause);
        } else {
            look(head, insist);
        }
    }

    /** Lets the head ask now; unless insisting, not while a hold of this client that excludes it was seen to be alive lately. */
    private void look(Ticket head, boolean insist) {
        if (head.isInFlight() || head.isOver()) {
            return;
        }
        if (!insist && !isBesideItsOwn(head) && isKnownHeld(head)) {
            awaitNews(head, -1);
        } else {
            ask(head);
        }
    }

    private boolean isKnownHeld(Ticket head) {
        return cell.holds().exclude(head.kind()) && ends().isSeenHeld(head.kind());
    }

    @Override
    void mayHaveLeftWord(Ticket ticket) {
        hasWord |= ticket.waitsLong()
                && calls.asking().place().spoken(ticket.kind()).takesTurns();
    }

    /** What the calls that have given up left there would have the lock reserved for none (rule 127). */
    @Override
    void noneWaits() {
        super.noneWaits();
        if (hasWord) {
            hasWord = false;
            calls.asking().place().takeWordBack(cell, cell.nanos() + cell.facts.commandNanos());
        }
    }

    // --- answers ---

    @Override
    void isGranted(Ticket ticket, Outcome.Granted granted) {
        contention.decided();
        reservation = null;
        called = false;
        hasWord = false;
        if (turns != null) {
            turns.granted(granted, cell.nanos());
        }
    }

    @Override
    boolean splits(Outcome.Refused refused) {
        return contention.splits(refused);
    }

    @Override
    void staysBehind(Ticket ticket, Outcome.Refused refused, boolean split) {
        if (turns != null) {
            turns.refused();
        }
        takePlaces();
        if (!has(ticket)) {
            return;
        }
        if (queue.head() != ticket) {
            // It was passed while it asked; when to ask next is the head's matter.
            awaitMessage(ticket);
            return;
        }
        if (called || (ticket.lookAgain && !split)) {
            called = false;
            ask(ticket);
            return;
        }
        awaitNews(ticket, refused.timeToLiveMillis());
        if (split && !isReservedForAnother()) {
            plannedLook().after(contention.pauseNanos());
        }
    }

    private boolean isReservedForAnother() {
        return reservation != null && reservation.lasts();
    }

    /** Waits for a message, the end of the lease, the next look or the deadline, whichever comes first. */
    private void awaitNews(Ticket head, long timeToLiveMillis) {
        awaitMessage(head);
        planLook(head, timeToLiveMillis);
        long reserved = reservation == null ? -1 : reservation.lookNanos();
        if (reserved >= 0) {
            plannedLook().within(reserved);
        }
    }

    /** A hold of this client ends without a message: while it is trusted, the head need not look. */
    @Override
    long nextLookNanos(Ticket head) {
        LockKind kind = head.kind();
        return cell.holds().exclude(kind) && !isBesideItsOwn(head)
                ? ends().trustedNanos(kind)
                : super.nextLookNanos(head);
    }

    // --- hand-over, and turns ---

    /**
     * The waiter that may receive the lock without its being freed, if there is one. Not one with an attempt of unknown
     * outcome: a hand-over brings a field of its own, and nothing would undo the other.
     */
    @Nullable
    public Ticket receiver() {
        Ticket head = queue.head();
        return head == null || head.isInFlight() || head.maybeApplied || head.isOver() ? null : head;
    }

    /**
     * Whose turn it is, from the first time on that the lock is given back while a call of this client waits.
     *
     * @param hold what is given back
     * @param receiver the call that is to have the lock next
     */
    public Turns turns(Hold hold, Ticket receiver) {
        Turns known = turns;
        Place place = calls.asking().place();
        boolean reserves = place.spoken(receiver.kind()).takesTurns();
        if (known == null || (reserves && known instanceof Courtesy)) {
            known = reserves
                    ? new ReservedTurns(hold.acquiredNanos, place.handsOver() && cell.facts.handsOn())
                    : new Courtesy(hold.acquiredNanos, cell.keys.layout.sharesWithRedisson());
            turns = known;
        }
        return known;
    }

    /** Whether the lock has gone from call to call of this client lately. Any thread. */
    public boolean wasHandedOver(long now) {
        Turns known = turns;
        return known != null && known.wasHandedOver(now);
    }

    /** A thread has let others run for long before it gave the lock back, and no call came. Any thread. */
    public void hasNoNextCaller(long now) {
        Turns known = turns;
        if (known != null) {
            known.hasNoNextCaller(now);
        }
    }

    @Override
    int tokens(Ticket ticket) {
        Turns known = turns;
        return known == null || ticket.once() ? 1 : tokens(ticket, known);
    }

    /**
     * How many tokens are to be put by for a call that is to have the lock. A fixed lease is asked for longer if the lock is to be
     * handed on from there: not where no call is known to come behind (rule 102).
     */
    public int tokens(Ticket receiver, Turns present) {
        boolean isAlone = queue.size() <= (queue.head() == receiver ? 1 : 0);
        return !receiver.watched() && isAlone && !present.isRun() ? 1 : present.tokens();
    }

    /** A turn ends: whatever call is the head by now does not ask before others have had their chance. */
    public void yields(Turns ours) {
        ours.releasing(cell.nanos());
        headIsTold();
    }

    /** After a real release in the middle of a run: the head asks when others have had their chance. */
    public void afterYielding(Turns ours, Outcome.Applied done) {
        ours.released(done, isListening());
        hasWord |= done.reserved();
        Ticket head = queue.head();
        if (head == null) {
            noneWaits();
        }
        if (head == null || head.isInFlight()) {
            return;
        }
        if (ours.letsOthersGo()) {
            plannedLook().after(ours.hasHeard() ? pauseNanos() : ours.messageDueNanos());
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
