package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one acquisition loop: ask the server, and wait for a reason to ask again.
 *
 * <p><b>Who asks the server.</b> Calls that wait stand in a queue, and only its head asks; calls without a wait ask
 * once, beside the queue. While a hold of this client is known to be alive the head does not ask: it would be refused,
 * and the hold's end wakes it. It still looks every few seconds, and at every message.
 *
 * <p><b>When the head asks again</b> (rules 24 to 28): when it becomes the head; when a local hold ends; when a
 * subscription is confirmed, because a release may have been missed before; when a message says that the lock was
 * freed; when the lease that it was told of is over; and every few seconds, should all messages be lost. A message that
 * comes while a request is in flight is kept as a permit: if the request is refused, the head asks again at once.
 *
 * <p>Everything here runs within the cell's gate.
 */
final class AcquisitionLoop implements Doorbell.Listener {

    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LONGEST_DEAFNESS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long AFTER_EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Engine engine;
    private final LockCell cell;
    private final Runtime runtime;
    private final SerialGate gate;
    private final Doorbell bell;
    private final Patience patience;

    private final WaitQueue queue = new WaitQueue();
    /** Calls without a wait that are in flight. */
    private final WaitQueue singles = new WaitQueue();
    /** A message came while the head's request was in flight. */
    private boolean permit;
    /** The fault that the head met last; null once the server has answered it. */
    private @Nullable Fault trouble;
    /** Until when messages are not listened to. */
    private long pausedUntilNanos;

    AcquisitionLoop(Engine engine, LockCell cell, SerialGate gate) {
        this.engine = engine;
        this.cell = cell;
        this.runtime = engine.runtime();
        this.gate = gate;
        this.patience = engine.patience();
        this.pausedUntilNanos = runtime.nanos();
        this.bell = new Doorbell(cell, this);
    }

    // --- the bell ---

    @Override
    public void listening(boolean again) {
        news(again);
    }

    @Override
    public void rung() {
        cell.operations.heardRelease();
        news(true);
    }

    @Override
    public void unused() {
        if (queue.isEmpty()) {
            bell.close();
            cell.restIfIdle();
        }
    }

    // --- arrival and departure ---

    /** Takes in a call whose owner has no hold. */
    void enter(Ticket ticket) {
        if (ticket.once) {
            singles.add(ticket);
            ask(ticket);
            return;
        }
        trouble = queue.isEmpty() ? null : trouble;
        queue.add(ticket);
        if (queue.head() == ticket) {
            look(ticket, false);
        } else {
            armDeadline(ticket);
        }
    }

    /**
     * The caller has given up; the result is abandoned already. A request in flight is undone at once, behind it on the
     * same connection: whatever this client asks next finds no trace of it. A hand-over in flight is passed on when its
     * answer comes.
     */
    void leave(Ticket ticket) {
        boolean wasHead = remove(ticket);
        undoIfUnclear(ticket);
        if (wasHead) {
            headChanged();
        }
        cell.restIfIdle();
    }

    private void undoIfUnclear(Ticket ticket) {
        if (ticket.maybeApplied || (ticket.inFlight && !ticket.receiving)) {
            undo(ticket);
        }
    }

    /** Undoes what the ticket's present field may have left on the server; whatever answer comes is ignored. */
    private void undo(Ticket ticket) {
        byte[] field = ticket.field;
        if (field != null) {
            ticket.field = null;
            engine.settler().undo(cell, field, ticket.leaseMillis);
        }
    }

    /** Takes a ticket out, wherever it stands; true if it was the head. */
    boolean remove(Ticket ticket) {
        boolean wasHead = queue.head() == ticket;
        ticket.cancelTimers();
        (ticket.once ? singles : queue).remove(ticket);
        return wasHead;
    }

    /** Takes out the owner's waiting calls. */
    void removeWaiters(Owner owner, Consumer<Ticket> taker) {
        Ticket before = queue.head();
        queue.forEach(waiting -> {
            if (waiting.owner.equals(owner) && !waiting.inFlight) {
                remove(waiting);
                undoIfUnclear(waiting);
                taker.accept(waiting);
            }
        });
        if (queue.head() != before) {
            headChanged();
        }
    }

    /** Whether nothing waits, asks or listens. */
    boolean isIdle() {
        return queue.isEmpty() && singles.isEmpty() && !bell.isOpen();
    }

    /** From any thread. */
    int waiters() {
        return queue.size();
    }

    @Nullable
    Ticket head() {
        return queue.head();
    }

    /**
     * The waiter that may receive the lock without its being freed, if there is one. Not one with an attempt of unknown
     * outcome: a hand-over brings a field of its own, and nobody would be left to undo the other.
     */
    @Nullable
    Ticket receiver() {
        Ticket head = queue.head();
        return head == null || head.inFlight || head.maybeApplied || head.isOver() ? null : head;
    }

    /** Whether messages arrive, as far as this client knows. */
    boolean isListening() {
        return bell.isConfirmed();
    }

    /** A hold of this client has ended otherwise than by a hand-over: the head asks at once (rule 28). */
    void holdEnded() {
        Ticket head = queue.head();
        if (head == null) {
            headChanged();
        } else {
            permit |= head.inFlight;
            look(head, true);
        }
    }

    /** The client is closed: nobody gets anything any more. */
    void close() {
        queue.forEach(this::failClosed);
        singles.forEach(this::failClosed);
        bell.close();
    }

    private void failClosed(Ticket ticket) {
        remove(ticket);
        undoIfUnclear(ticket);
        ticket.result.fail(Failures.closed(cell.names.name, engine.ownerText(ticket.owner), cell.node()));
    }

    private void armDeadline(Ticket ticket) {
        if (ticket.limited() && ticket.deadlineTimer == null) {
            deadlineAfter(ticket, patience.leftNanos(ticket, runtime.nanos()));
        }
    }

    private void deadlineAfter(Ticket ticket, long delayNanos) {
        ticket.deadlineTimer = runtime.after(Math.max(0, delayNanos), () -> gate.run(() -> onDeadline(ticket)));
    }

    private void onDeadline(Ticket ticket) {
        ticket.deadlineTimer = null;
        if (ticket.isOver()) {
            return;
        }
        long now = runtime.nanos();
        if (ticket.inFlight) {
            long answerDue = ticket.answerDueNanos - now;
            if (answerDue > 0) {
                deadlineAfter(ticket, answerDue);
            } else {
                giveUpUnanswered(ticket);
            }
            return;
        }
        if (ticket.maybeApplied && patience.leftNanos(ticket, now) > 0) {
            // What became of its request is not known yet; a command timeout is left to find out.
            deadlineAfter(ticket, patience.leftNanos(ticket, now));
            return;
        }
        boolean wasHead = queue.head() == ticket;
        Fault fault = wasHead ? trouble : troubleOfHead(now);
        if (fault == null && ticket.maybeApplied) {
            // The server answers others again, but this ticket never learned what became of its request.
            fault = Failures.noAnswer(cell.node(), true);
        }
        remove(ticket);
        if (fault == null) {
            refuse(ticket);
        } else {
            fail(ticket, new Fault(fault.kind(), ticket.maybeApplied, fault.node(), fault.detail()));
        }
        if (wasHead) {
            headChanged();
        }
        cell.restIfIdle();
    }

    /** What keeps the head from an answer; a waiter behind it must not call that a refusal. */
    private @Nullable Fault troubleOfHead(long now) {
        Ticket head = queue.head();
        if (trouble == null && head != null && head.inFlight && now - head.sentNanos > engine.commandNanos()) {
            return Failures.noAnswer(cell.node(), false);
        }
        return trouble;
    }

    // --- the loop: ask, and wait for a reason to ask again ---

    /** The queue has a new head, or none. */
    void headChanged() {
        Ticket head = queue.head();
        if (head != null) {
            look(head, false);
        } else {
            bell.closeSoon();
        }
    }

    /** Lets the head ask now; unless insisting, not while a hold of this client is known to be alive. */
    void look(Ticket head, boolean insist) {
        if (head.inFlight || head.isOver()) {
            return;
        }
        if (!insist && cell.holds.anyAlive() != null) {
            awaitNews(head, -1);
        } else {
            ask(head);
        }
    }

    private void ask(Ticket ticket) {
        ticket.cancelLook();
        byte[] field = ticket.field;
        if (field == null) {
            field = engine.newField(ticket.owner);
            ticket.field = field;
        }
        ticket.inFlight = true;
        ticket.sentNanos = runtime.nanos();
        if (queue.head() == ticket) {
            permit = false;
        }
        ticket.answerDueNanos = patience.answerDueNanos(ticket);
        cell.kind.acquire(field, ticket.leaseMillis, ticket.answerDueNanos, new Asked(ticket, field));
    }

    /** One request in flight. */
    private final class Asked implements Step {

        private final Ticket ticket;
        private final byte[] field;
        private boolean unanswered;

        Asked(Ticket ticket, byte[] field) {
            this.ticket = ticket;
            this.field = field;
        }

        @Override
        public void overdue() {
            gate.run(() -> {
                if (ticket.field == field && !ticket.isOver()) {
                    unanswered = true;
                    giveUpUnanswered(ticket);
                }
            });
        }

        @Override
        public void ended(Outcome outcome) {
            gate.run(Asked::settle, this, outcome);
        }

        private void settle(Outcome outcome) {
            if (ticket.field == field) {
                onAnswer(ticket, field, outcome);
            } else if (!unanswered && outcome.mayHaveGranted()) {
                // A request that met NOSCRIPT was written again, perhaps behind the undo that ended it.
                engine.settler().undo(cell, field, ticket.leaseMillis);
            }
        }
    }

    private void onAnswer(Ticket ticket, byte[] field, Outcome outcome) {
        ticket.inFlight = false;
        if (outcome instanceof Outcome.Granted granted) {
            ticket.field = null;
            trouble = null;
            cell.operations.granted();
            cell.grant(ticket, field, granted);
        } else if (outcome instanceof Outcome.Refused refused) {
            ticket.field = null;
            onRefused(ticket, refused);
        } else if (outcome instanceof Outcome.Failed failed) {
            onFailed(ticket, failed);
        } else {
            throw new IllegalStateException("an acquisition ended with " + outcome);
        }
        cell.restIfIdle();
    }

    private void onRefused(Ticket ticket, Outcome.Refused refused) {
        if (ticket.isOver()) {
            return;
        }
        trouble = null;
        ticket.maybeApplied = false;
        ticket.failures = 0;
        Hold own = cell.holds.alive(ticket.owner);
        if (own != null) {
            boolean wasHead = remove(ticket);
            cell.operations.reenter(own, ticket);
            if (wasHead) {
                headChanged();
            }
        } else if (ticket.once) {
            remove(ticket);
            refuse(ticket);
        } else if (ticket.leftNanos(runtime.nanos()) <= 0) {
            remove(ticket);
            refuse(ticket);
            headChanged();
        } else if (permit && refused.pauseNanos() <= 0) {
            ask(ticket);
        } else {
            awaitNews(ticket, refused.timeToLiveMillis());
            if (refused.pauseNanos() > 0) {
                pause(ticket, refused.pauseNanos());
            }
        }
    }

    private void onFailed(Ticket ticket, Outcome.Failed failed) {
        Fault fault = failed.fault();
        if (failed.spent()) {
            ticket.field = null;
        }
        if (ticket.isOver()) {
            if (fault.maybeApplied() || ticket.maybeApplied) {
                undo(ticket);
            }
            return;
        }
        long now = runtime.nanos();
        trouble = queue.head() == ticket ? fault : trouble;
        ticket.maybeApplied |= fault.maybeApplied();
        if (!ticket.maybeApplied) {
            ticket.field = null;
        }
        if (ticket.failures == 0) {
            ticket.troubleSinceNanos = now;
        }
        long pause = Backoff.nanos(ticket.failures++, runtime);
        if (fault.kind().isTransient() && pause < patience.leftNanos(ticket, now)) {
            armDeadline(ticket);
            ticket.lookTimer = runtime.after(
                    pause,
                    () -> gate.run(() -> {
                        if (!ticket.isOver() && !ticket.inFlight) {
                            ask(ticket);
                        }
                    }));
            return;
        }
        boolean wasHead = remove(ticket);
        fail(ticket, new Fault(fault.kind(), ticket.maybeApplied, fault.node(), fault.detail()));
        if (wasHead) {
            headChanged();
        }
    }

    /** Waits for a message, the end of the lease, the poll or the deadline, whichever comes first. */
    private void awaitNews(Ticket head, long timeToLiveMillis) {
        bell.open();
        armDeadline(head);
        long delay = POLL_NANOS - POLL_NANOS / 10 + runtime.random(POLL_NANOS / 5);
        if (timeToLiveMillis >= 0) {
            delay = Math.min(delay, TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis) + AFTER_EXPIRY_NANOS);
        }
        lookAfter(head, delay);
    }

    /** Several want the lock and nobody has it: messages that come now are the others' giving way, not a reason to ask. */
    private void pause(Ticket head, long pauseNanos) {
        pausedUntilNanos = runtime.nanos() + Math.min(pauseNanos, LONGEST_DEAFNESS_NANOS);
        lookAfter(head, pauseNanos);
    }

    /** Lets the head ask after a while, come what may. */
    void lookAfter(Ticket head, long delayNanos) {
        head.cancelLook();
        head.lookTimer = runtime.after(
                delayNanos,
                () -> gate.run(() -> {
                    if (queue.head() == head) {
                        look(head, true);
                    }
                }));
    }

    /** The lock may be free. */
    private void news(boolean insist) {
        Ticket head = queue.head();
        if (head == null || runtime.nanos() - pausedUntilNanos < 0) {
            return;
        }
        permit = head.inFlight;
        long pause = cell.operations.pauseNanos();
        if (pause > 0 && !head.inFlight) {
            lookAfter(head, pause);
        } else {
            look(head, insist);
        }
    }

    private void refuse(Ticket ticket) {
        if (ticket.result.complete(Optional.empty())) {
            engine.events().refused(cell.names, ticket, null, "held by another owner");
        }
    }

    /** Ends a ticket with a fault. What it may have left on the server is undone. */
    void fail(Ticket ticket, Fault fault) {
        if (fault.maybeApplied()) {
            undo(ticket);
        }
        ticket.field = null;
        if (ticket.result.fail(Failures.of(cell.names.name, engine.ownerText(ticket.owner), fault))) {
            engine.events().refused(cell.names, ticket, Failures.reason(fault), fault.detail());
        }
    }

    private void giveUpUnanswered(Ticket ticket) {
        boolean wasHead = remove(ticket);
        fail(ticket, Failures.noAnswer(cell.node(), true));
        if (wasHead) {
            headChanged();
        }
        cell.restIfIdle();
    }
}
