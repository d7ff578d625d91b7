package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in this client, and the one acquisition loop.
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
 * <p>All methods without a note run within the cell's gate: one at a time, without waiting, and no code of users.
 */
final class LockCell {

    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long AFTER_EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Hold[] NO_HOLDS = {};

    final LockNames names;
    final LockKind kind;
    final HoldOperations operations;

    private final Engine engine;
    private final Runtime runtime;
    private final SerialGate gate;
    private final WaitQueue queue = new WaitQueue();
    /** Calls without a wait that are in flight. */
    private final Set<Ticket> singles = new LinkedHashSet<>(4);

    /** Holds that have not ended, for any thread to read; copied on write. */
    private volatile Hold[] holds = NO_HOLDS;
    /** Lost holds of threads that still owe a release, which will tell them; for any thread to read. */
    private volatile Hold[] lostHolds = NO_HOLDS;

    private @Nullable Subscription subscription;
    private boolean subscribed;
    private @Nullable Timer linger;
    /** A message came while the head's request was in flight. */
    private boolean permit;
    /** The fault that the head met last; null once the server has answered it. */
    private @Nullable Fault trouble;

    private boolean retired;

    LockCell(Engine engine, LockNames names) {
        this.engine = engine;
        this.names = names;
        this.runtime = engine.runtime();
        this.gate = new SerialGate(runtime.callbacks());
        this.kind = engine.kind(names);
        this.operations = new HoldOperations(engine, this);
    }

    // --- from any thread ---

    /** Brings a call that wants the lock. */
    void acquire(Ticket ticket) {
        gate.run(() -> begin(ticket));
    }

    /** The caller has given up; the result is abandoned already. */
    void withdraw(Ticket ticket) {
        gate.run(() -> leave(ticket));
    }

    /** Runs a step of this cell. */
    void step(Runnable step) {
        gate.run(step);
    }

    SerialGate gate() {
        return gate;
    }

    void callback(Runnable callback) {
        engine.callback(callback);
    }

    long nanos() {
        return runtime.nanos();
    }

    String node() {
        return engine.node();
    }

    /** The owner's hold that is alive, as far as this client knows. */
    @Nullable
    Hold alive(Owner owner) {
        for (Hold hold : holds) {
            if (hold.owner.equals(owner) && hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** Any hold that is alive. */
    @Nullable
    Hold anyAlive() {
        for (Hold hold : holds) {
            if (hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** A hold was lost: told by whoever latched it, on any thread. */
    void lost(Hold hold, LockLoss loss) {
        engine.lost(hold, loss);
        gate.run(() -> afterLoss(hold));
    }

    int waiters() {
        return queue.size();
    }

    // --- arrival and departure ---

    private void begin(Ticket ticket) {
        if (ticket.isOver()) {
            return;
        }
        if (retired) {
            engine.cell(names).acquire(ticket);
            return;
        }
        if (engine.isClosed()) {
            ticket.result.fail(Failures.closed(names.name, ticket.ownerText, node()));
            retireIfIdle();
            return;
        }
        Hold own = alive(ticket.owner);
        if (own != null) {
            operations.reenter(own, ticket);
        } else if (ticket.once) {
            singles.add(ticket);
            ask(ticket);
        } else {
            boolean first = queue.isEmpty();
            queue.add(ticket);
            if (first) {
                look(ticket, false);
            } else {
                armDeadline(ticket);
            }
        }
    }

    private void leave(Ticket ticket) {
        boolean wasHead = queue.head() == ticket;
        remove(ticket);
        if (!ticket.inFlight && ticket.maybeApplied) {
            undo(ticket);
        }
        if (wasHead) {
            headChanged();
        }
        retireIfIdle();
    }

    /** Undoes what the ticket's present field may have left on the server; whatever answer comes is ignored. */
    private void undo(Ticket ticket) {
        byte[] field = ticket.field;
        if (field != null) {
            ticket.field = null;
            engine.settler().undo(this, field, ticket.leaseMillis);
        }
    }

    private void remove(Ticket ticket) {
        ticket.cancelTimers();
        queue.remove(ticket);
        singles.remove(ticket);
    }

    private void armDeadline(Ticket ticket) {
        if (ticket.limited() && ticket.deadlineTimer == null) {
            long left = ticket.leftNanos(runtime.nanos());
            ticket.deadlineTimer = runtime.after(Math.max(0, left), () -> gate.run(() -> onDeadline(ticket)));
        }
    }

    private void onDeadline(Ticket ticket) {
        ticket.deadlineTimer = null;
        if (ticket.isOver()) {
            return;
        }
        long now = runtime.nanos();
        if (ticket.inFlight) {
            long answerDue = ticket.sentNanos + engine.commandNanos() - now;
            if (answerDue > 0) {
                ticket.deadlineTimer = runtime.after(answerDue, () -> gate.run(() -> onDeadline(ticket)));
            } else {
                giveUpUnanswered(ticket);
            }
            return;
        }
        boolean wasHead = queue.head() == ticket;
        Fault fault = wasHead ? trouble : troubleOfHead(now);
        if (fault == null && ticket.maybeApplied) {
            // The server answers again, but nobody knows what became of this ticket's request.
            fault = noAnswer(true);
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
        retireIfIdle();
    }

    /** What keeps the head from an answer; a waiter behind it must not call that a refusal. */
    private @Nullable Fault troubleOfHead(long now) {
        Ticket head = queue.head();
        if (trouble == null && head != null && head.inFlight && now - head.sentNanos > engine.commandNanos()) {
            return noAnswer(false);
        }
        return trouble;
    }

    // --- the loop: ask, and wait for a reason to ask again ---

    /** The queue has a new head, or none. */
    private void headChanged() {
        Ticket head = queue.head();
        if (head != null) {
            look(head, false);
        } else if (subscription != null && linger == null) {
            linger = runtime.after(LINGER_NANOS, () -> gate.run(this::unsubscribeIfUnused));
        }
    }

    /** Lets the head ask now; unless insisting, not while a hold of this client is known to be alive. */
    void look(Ticket head, boolean insist) {
        if (head.inFlight || head.isOver()) {
            return;
        }
        if (!insist && anyAlive() != null) {
            awaitNews(head, -1);
        } else {
            ask(head);
        }
    }

    private void ask(Ticket ticket) {
        ticket.cancelLook();
        byte[] field = ticket.field;
        if (field == null) {
            field = engine.newField(ticket.ownerText);
            ticket.field = field;
        }
        ticket.inFlight = true;
        ticket.sentNanos = runtime.nanos();
        if (queue.head() == ticket) {
            permit = false;
        }
        kind.acquire(field, ticket.leaseMillis, answerDue(ticket), new Asked(ticket, field));
    }

    /** One request in flight. */
    private final class Asked implements Step {

        private final Ticket ticket;
        private final byte[] field;

        Asked(Ticket ticket, byte[] field) {
            this.ticket = ticket;
            this.field = field;
        }

        @Override
        public void overdue() {
            gate.run(() -> {
                if (ticket.field == field && !ticket.isOver()) {
                    giveUpUnanswered(ticket);
                }
            });
        }

        @Override
        public void ended(Outcome outcome) {
            gate.run(() -> {
                if (ticket.field == field) {
                    onAnswer(ticket, field, outcome);
                }
            });
        }
    }

    /** An attempt has a full command timeout, never just the rest of the wait (rule 20). */
    private long answerDue(Ticket ticket) {
        long now = ticket.sentNanos;
        long least = engine.commandNanos();
        if (ticket.limited()) {
            return now + Math.max(least, ticket.leftNanos(now));
        }
        long since = ticket.failures == 0 ? now : ticket.troubleSinceNanos;
        return now + Math.max(least, engine.maxOutageNanos() - (now - since));
    }

    private void onAnswer(Ticket ticket, byte[] field, Outcome outcome) {
        ticket.inFlight = false;
        if (outcome instanceof Outcome.Granted granted) {
            ticket.field = null;
            trouble = null;
            operations.newRun();
            grant(ticket, field, granted);
        } else if (outcome instanceof Outcome.Refused refused) {
            ticket.field = null;
            onRefused(ticket, refused.timeToLiveMillis());
        } else if (outcome instanceof Outcome.Failed failed) {
            onFailed(ticket, failed.fault());
        } else {
            throw new IllegalStateException("an acquisition ended with " + outcome);
        }
        retireIfIdle();
    }

    private void onRefused(Ticket ticket, long timeToLiveMillis) {
        if (ticket.isOver()) {
            return;
        }
        trouble = null;
        ticket.maybeApplied = false;
        ticket.failures = 0;
        Hold own = alive(ticket.owner);
        if (own != null) {
            boolean wasHead = queue.head() == ticket;
            remove(ticket);
            operations.reenter(own, ticket);
            if (wasHead) {
                headChanged();
            }
        } else if (ticket.once) {
            remove(ticket);
            refuse(ticket);
        } else if (permit) {
            ask(ticket);
        } else if (ticket.leftNanos(runtime.nanos()) <= 0) {
            remove(ticket);
            refuse(ticket);
            headChanged();
        } else {
            awaitNews(ticket, timeToLiveMillis);
        }
    }

    private void onFailed(Ticket ticket, Fault fault) {
        if (ticket.isOver()) {
            if (fault.maybeApplied() || ticket.maybeApplied) {
                undo(ticket);
            }
            return;
        }
        long now = runtime.nanos();
        trouble = fault;
        ticket.maybeApplied |= fault.maybeApplied();
        if (!ticket.maybeApplied) {
            ticket.field = null;
        }
        if (ticket.failures == 0) {
            ticket.troubleSinceNanos = now;
        }
        long pause = Backoff.nanos(ticket.failures++, runtime);
        if (fault.kind().isTransient() && pause < patience(ticket, now)) {
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
        boolean wasHead = queue.head() == ticket;
        remove(ticket);
        fail(ticket, new Fault(fault.kind(), ticket.maybeApplied, fault.node(), fault.detail()));
        if (wasHead) {
            headChanged();
        }
    }

    /** How much longer a failing ticket may be tried again; a call that asks just once has none, unless it is unclear. */
    private long patience(Ticket ticket, long now) {
        if (!ticket.limited()) {
            return engine.maxOutageNanos() - (now - ticket.troubleSinceNanos);
        }
        long left = ticket.leftNanos(now);
        return ticket.maybeApplied ? Math.max(left, ticket.startNanos + engine.commandNanos() - now) : left;
    }

    /** Waits for a message, the end of the lease, the poll or the deadline, whichever comes first. */
    private void awaitNews(Ticket head, long timeToLiveMillis) {
        subscribe();
        armDeadline(head);
        long delay = POLL_NANOS - POLL_NANOS / 10 + runtime.random(POLL_NANOS / 5);
        if (timeToLiveMillis >= 0) {
            delay = Math.min(delay, TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis) + AFTER_EXPIRY_NANOS);
        }
        lookAfter(head, delay);
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

    private void subscribe() {
        Timer unsubscribing = linger;
        if (unsubscribing != null) {
            unsubscribing.cancel();
            linger = null;
        }
        if (subscription == null) {
            subscription = engine.subscribe(names, new Wakeup() {
                @Override
                public void ready() {
                    gate.run(() -> {
                        subscribed = true;
                        news(false);
                    });
                }

                @Override
                public void message(String text) {
                    gate.run(() -> news(true));
                }
            });
        }
    }

    /** The lock may be free. */
    private void news(boolean insist) {
        Ticket head = queue.head();
        if (head != null) {
            permit = head.inFlight;
            look(head, insist);
        }
    }

    private void unsubscribeIfUnused() {
        linger = null;
        if (queue.isEmpty()) {
            unsubscribe();
            retireIfIdle();
        }
    }

    private void unsubscribe() {
        Subscription open = subscription;
        subscription = null;
        subscribed = false;
        if (open != null) {
            open.close();
        }
    }

    // --- the ends of a call ---

    /** The server has given the lock to a ticket's field: the hold begins, unless nobody wants it any more. */
    void grant(Ticket ticket, byte[] field, Outcome.Granted granted) {
        long now = runtime.nanos();
        boolean wasHead = queue.head() == ticket;
        remove(ticket);
        long validUntilNanos = Lease.validUntil(granted.sentNanos(), ticket.leaseMillis);
        if (validUntilNanos - now <= 0) {
            engine.settler().undo(this, field, ticket.leaseMillis);
            fail(ticket, new Fault(Fault.Kind.NO_ANSWER, false, node(), "the grant came when its lease was over"));
            holdEnded();
            return;
        }
        Hold hold = new Hold(this, ticket, field, granted.token(), validUntilNanos, now);
        holds = with(holds, hold);
        if (!ticket.result.complete(Optional.of(hold))) {
            operations.free(hold);
            return;
        }
        hold.markHandedOut();
        engine.keeper().watch(hold);
        engine.events().acquired(hold, now - ticket.startNanos);
        adoptWaiters(hold);
        if (wasHead) {
            headChanged();
        }
    }

    /** The owner's other waiting calls become re-entries (rule 13). */
    private void adoptWaiters(Hold hold) {
        if (!hold.owner.handle()) {
            queue.forEach(waiting -> {
                if (waiting.owner.equals(hold.owner) && !waiting.inFlight) {
                    remove(waiting);
                    operations.reenter(hold, waiting);
                }
            });
        }
    }

    private void refuse(Ticket ticket) {
        if (ticket.result.complete(Optional.empty())) {
            engine.events().refused(names, ticket, null, "held by another owner");
        }
    }

    /** Ends a ticket with a fault. What it may have left on the server is undone. */
    void fail(Ticket ticket, Fault fault) {
        if (fault.maybeApplied()) {
            undo(ticket);
        }
        ticket.field = null;
        if (ticket.result.fail(Failures.of(names.name, ticket.ownerText, fault))) {
            engine.events().refused(names, ticket, Failures.reason(fault), fault.detail());
        }
    }

    private void giveUpUnanswered(Ticket ticket) {
        boolean wasHead = queue.head() == ticket;
        remove(ticket);
        fail(ticket, noAnswer(true));
        if (wasHead) {
            headChanged();
        }
        retireIfIdle();
    }

    private Fault noAnswer(boolean maybeApplied) {
        return new Fault(Fault.Kind.NO_ANSWER, maybeApplied, node(), "no answer in time");
    }

    // --- holds ---

    void removeHold(Hold hold) {
        holds = without(holds, hold);
    }

    private static Hold[] with(Hold[] before, Hold hold) {
        Hold[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = hold;
        return after;
    }

    private static Hold[] without(Hold[] before, Hold hold) {
        for (int i = 0; i < before.length; i++) {
            if (before[i] == hold) {
                Hold[] after = before.length == 1 ? NO_HOLDS : new Hold[before.length - 1];
                System.arraycopy(before, 0, after, 0, i);
                System.arraycopy(before, i + 1, after, i, after.length - i);
                return after;
            }
        }
        return before;
    }

    private static @Nullable Hold find(Hold[] among, Owner owner) {
        for (Hold hold : among) {
            if (hold.owner.equals(owner)) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold: one that has not ended, else a lost one that it does not know of yet. From any thread. */
    @Nullable
    Hold find(Owner owner) {
        Hold hold = find(holds, owner);
        return hold == null ? find(lostHolds, owner) : hold;
    }

    boolean isRetired() {
        return retired;
    }

    private void afterLoss(Hold hold) {
        removeHold(hold);
        if (hold.isHandedOut() && !hold.owner.handle() && !engine.isClosed()) {
            Hold older = find(lostHolds, hold.owner);
            lostHolds = with(older == null ? lostHolds : without(lostHolds, older), hold);
            engine.remember(hold);
        }
        engine.settler().undo(this, hold.field, hold.longestLeaseMillis());
        holdEnded();
        retireIfIdle();
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

    /** The owner was told of the loss once for every release that it owed. */
    void forget(Hold hold) {
        lostHolds = without(lostHolds, hold);
        retireIfIdle();
    }

    // --- what the hand-over needs ---

    /** The waiter that may receive the lock without its being freed, if there is one. */
    @Nullable
    Ticket receiver() {
        Ticket head = queue.head();
        return head == null || head.inFlight || head.isOver() ? null : head;
    }

    @Nullable
    Ticket head() {
        return queue.head();
    }

    Hold[] holds() {
        return holds;
    }

    boolean isSubscribed() {
        return subscribed;
    }

    // --- the end of the cell ---

    /** The client is closed: nobody gets anything any more, and all holds are lost and released. */
    void close() {
        queue.forEach(this::failClosed);
        for (Ticket ticket : List.copyOf(singles)) {
            failClosed(ticket);
        }
        for (Hold hold : holds) {
            hold.lose(FailureReason.CLIENT_CLOSED, "the client was closed");
        }
        Timer unsubscribing = linger;
        if (unsubscribing != null) {
            unsubscribing.cancel();
            linger = null;
        }
        lostHolds = NO_HOLDS;
        unsubscribe();
        retireIfIdle();
    }

    private void failClosed(Ticket ticket) {
        remove(ticket);
        if (ticket.inFlight || ticket.maybeApplied) {
            undo(ticket);
        }
        ticket.result.fail(Failures.closed(names.name, ticket.ownerText, node()));
    }

    void retireIfIdle() {
        if (!retired
                && queue.isEmpty()
                && singles.isEmpty()
                && holds.length == 0
                && lostHolds.length == 0
                && subscription == null) {
            retired = true;
            engine.retire(this);
        }
    }
}
