package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the waits for one lock end: by their deadlines, by an outage, or with a request that has had its time or met a fault.
 *
 * <p>A call whose wait is over is refused if another owner was seen to hold the lock a few seconds ago. Otherwise it stays,
 * for a command timeout at most, until the head has an answer (rules 77, 78). Calls without a limit end with the outage
 * that they wait in (rule 21).
 *
 * <p>It is there from the first call that has to wait. Belongs to the cell's steps.
 */
final class WaitEnds {

    /** So often the pause doubles in a slot that is being moved: a call has to hear of its turn within the claim window. */
    private static final int MOST_IN_A_MOVE = 4;

    private final LockCell cell;
    private final Acquisitions calls;
    private final Asking asking;
    private final AcquisitionLoop loop;
    private final WaitQueue queue;

    /** Calls whose wait is over, and that stay for an answer; null until there are any. */
    private @Nullable Set<Ticket> late;
    /** Null until a request meets a fault, or a call without a limit has to wait. */
    private @Nullable Outage outage;
    /** Null until it matters whether another owner was seen to hold the lock. */
    private @Nullable LastSeen lastSeen;
    /** Null until a grant waits for replicas. */
    private @Nullable Unconfirmed unconfirmed;
    /** Since when the lock's slot is known to be moved; null while requests are answered. */
    private @Nullable Long movingSinceNanos;

    /** @param queue the calls that wait */
    WaitEnds(LockCell cell, Acquisitions calls, AcquisitionLoop loop, WaitQueue queue) {
        this.cell = cell;
        this.calls = calls;
        this.asking = calls.asking();
        this.loop = loop;
        this.queue = queue;
    }

    /** The ticket has to wait for others or for a fault to pass, as long as it may. */
    void begin(Ticket ticket) {
        ticket.result.onMadeToWait();
        if (!ticket.once()) {
            calls.waits(cell, ticket, loop.position(ticket));
        }
        if (!ticket.limited()) {
            outage().watch();
        } else if (ticket.deadlineTimer == null) {
            deadlineAfter(ticket, asking.deadlines().waitLeftNanos(ticket, cell.nanos()));
        }
    }

    private void deadlineAfter(Ticket ticket, long delayNanos) {
        ticket.deadlineTimer =
                asking.facts().runtime().after(Math.max(0, delayNanos), () -> cell.run(() -> onDeadline(ticket)));
    }

    private void onDeadline(Ticket ticket) {
        if (!loop.has(ticket)) {
            return;
        }
        ticket.deadlineTimer = null;
        long now = cell.nanos();
        if (ticket.isInFlight()) {
            long answerDue = ticket.answerDueNanos - now;
            if (answerDue > 0) {
                deadlineAfter(ticket, answerDue);
            } else {
                giveUpUnanswered(ticket);
            }
            return;
        }
        long boundLeft = Math.max(asking.deadlines().boundLeftNanos(ticket, now), heardByNanos(now) - now);
        boolean refused = isSeenHeld(ticket, now) && !ticket.maybeApplied;
        if (!refused && boundLeft > 0 && !waitsInVain(ticket, boundLeft)) {
            stayForAnswer(ticket, boundLeft);
            return;
        }
        calls.takeOut(cell, ticket);
        if (refused) {
            calls.refuse(cell, ticket);
        } else {
            calls.fail(cell, ticket, outage().faultOf(ticket));
        }
    }

    /** Whether no answer can come in time to a call behind the head: until the pause of a new primary is over none is asked for. */
    private boolean waitsInVain(Ticket ticket, long boundLeftNanos) {
        return !loop.asksForItself(ticket) && outage != null && outage.isPauseBeyond(boundLeftNanos);
    }

    /** Whether another owner was seen to hold the lock lately, and requests are answered (rule 77). */
    private boolean isSeenHeld(LockKind kind, @Nullable Owner owner, long now) {
        return !isOut() && lastSeen().trustedNanos(kind, owner, now) > 0;
    }

    /** The same, for a call that may have been refused itself. */
    private boolean isSeenHeld(Ticket ticket, long now) {
        return isSeenHeld(ticket.kind(), ticket.owner, now)
                || (!isOut() && ticket.isPlaced() && !ticket.isBusy() && LastSeen.isTrusted(ticket.sentNanos, now));
    }

    /** Whether requests are not answered at present. */
    boolean isOut() {
        return outage != null && outage.isOn();
    }

    /** The wait of a ticket is over, and it is not known whether the lock is held: the head finds out (rule 78). */
    private void stayForAnswer(Ticket ticket, long boundLeftNanos) {
        if (late == null) {
            late = new LinkedHashSet<>();
        }
        late.add(ticket);
        deadlineAfter(ticket, boundLeftNanos);
        Ticket asking = loop.asksForItself(ticket) ? ticket : queue.head();
        if (asking != null && !asking.isBusy()) {
            loop.ask(asking);
        }
    }

    /**
     * Another owner has the lock, as the answer to this call says: those whose wait is over are told. The answer to the head
     * is one for all who stand behind it; beside the queue it is one for those who ask for as much.
     */
    void tellLate(Ticket asked) {
        if (!loop.speaksForAll(asked)) {
            return;
        }
        refuseLate(ticket -> !asked.once() || ticket.kind().includes(asked.kind()));
    }

    private void refuseLate(Predicate<Ticket> which) {
        if (late == null) {
            return;
        }
        for (Ticket waiting : List.copyOf(late)) {
            if (!waiting.isInFlight() && !waiting.maybeApplied && which.test(waiting)) {
                calls.takeOut(cell, waiting);
                calls.refuse(cell, waiting);
            }
        }
    }

    /** A request has had its time. */
    void giveUpUnanswered(Ticket ticket) {
        boolean wasHead = calls.takeOut(cell, ticket);
        Fault fault = ticket.takeBack() ? Failures.neverSent(cell.node()) : Failures.noAnswer(cell.node(), true);
        if (!ticket.once()) {
            outage().met(fault, ticket.sentNanos);
        }
        calls.fail(cell, ticket, fault);
        if (wasHead) {
            outage().endFor(0);
        }
    }

    /** A request has met a fault. It is sent again when that may have passed, if the call's time allows it. */
    void failed(Ticket ticket, Outcome.Failed failed) {
        Fault fault = failed.fault();
        if (failed.spent()) {
            ticket.leavesPlace();
        }
        if (ticket.isOver()) {
            if (fault.maybeApplied() || ticket.maybeApplied || ticket.isPlaced()) {
                calls.undo(cell, ticket);
            }
            return;
        }
        long now = cell.nanos();
        long pause = pauseNanos(ticket, failed, now);
        if (!ticket.once() && fault.mayPass()) {
            if (failed.quarantineNanos() > 0) {
                outage().quarantined(fault, failed.quarantineNanos());
            } else if (fault.kind() == Fault.Kind.TRYAGAIN) {
                // The slot is being moved, and its nodes answer.
                outage().quarantined(fault, pause);
                waitsForMove(fault, now);
            } else {
                outage().met(fault, ticket.sentNanos);
            }
        }
        ticket.maybeApplied |= fault.maybeApplied();
        if (fault.kind() == Fault.Kind.ABOVE_LIMIT) {
            // It is an answer, and says that nothing of the call is there.
            answered();
            ticket.maybeApplied = false;
        }
        if (!ticket.maybeApplied && !ticket.isPlaced()) {
            ticket.field = null;
        }
        long left = ticket.limited() ? asking.deadlines().waitLeftNanos(ticket, now) : outage().leftNanos(ticket, now);
        if (fault.mayPass() && (pause < left || pause == triesLeftNanos(ticket, now))) {
            begin(ticket);
            ticket.pauses(again(ticket, fault, pause));
            return;
        }
        boolean wasHead = calls.takeOut(cell, ticket);
        calls.fail(cell, ticket, new Fault(fault.kind(), ticket.maybeApplied, fault.node(), fault.detail()));
        if (wasHead && isOut()) {
            outage().endFor(ticket.limited() ? 0 : pause);
        }
    }

    private void waitsForMove(Fault fault, long now) {
        Long since = movingSinceNanos == null ? Long.valueOf(now) : movingSinceNanos;
        movingSinceNanos = since;
        asking.facts().moves().waits(cell.keys.named(), cell.keys.slot, since, fault.node());
    }

    /** Where there was no room it is waited for; other faults pass by themselves. */
    private Timer again(Ticket ticket, Fault fault, long pauseNanos) {
        return fault.kind() == Fault.Kind.QUEUE_FULL
                ? asking.roomLine().await(ticket.startNanos, () -> loop.askAgain(ticket, true))
                : asking.retries().after(pauseNanos, () -> loop.askAgain(ticket, false));
    }

    /**
     * Until it asks again: no longer than nodes are left out, just as long as the pause of a new term, and not beyond the
     * deadline, where it has a last try.
     */
    private long pauseNanos(Ticket ticket, Outcome.Failed failed, long now) {
        long pause = backoffNanos(ticket, failed.fault());
        if (failed.fault().kind() == Fault.Kind.PAUSED) {
            pause = failed.quarantineNanos();
        } else if (failed.quarantineNanos() > 0) {
            pause = Math.min(pause, failed.quarantineNanos());
        }
        long left = triesLeftNanos(ticket, now);
        return left > 0 ? Math.min(pause, left) : pause;
    }

    private long backoffNanos(Ticket ticket, Fault fault) {
        int failures = ticket.countFailure();
        boolean isMove = fault.kind() == Fault.Kind.TRYAGAIN;
        return Backoff.nanos(
                isMove ? Math.min(failures, MOST_IN_A_MOVE) : failures,
                fault.kind(),
                asking.facts().mayFailOver(),
                asking.facts().runtime());
    }

    /** For how much longer a call with a wait may ask again; not positive if it may not, or has no wait. */
    private static long triesLeftNanos(Ticket ticket, long now) {
        return ticket.limited() && !ticket.once() ? ticket.leftNanos(now) : -1;
    }

    // --- what is heard ---

    /** Whether another owner was seen to hold the lock lately. */
    boolean isSeenHeld(LockKind kind) {
        return isSeenHeld(kind, null, cell.nanos());
    }

    /** For how long a hold of this client is trusted without a question. */
    long trustedNanos(LockKind kind) {
        return lastSeen().trustedNanos(kind, null, cell.nanos());
    }

    /** Tells those calls whose wait is over that another owner was seen to hold the lock. */
    void refuseLateIfSeenHeld() {
        refuseLate(ticket -> isSeenHeld(ticket, cell.nanos()));
    }

    /** The lock was granted to this client. */
    void granted() {
        answered();
        if (lastSeen != null) {
            lastSeen.granted();
        }
    }

    /** Another owner has the lock, or several clients want it. */
    void refused(Ticket ticket) {
        answered();
        if (loop.speaksForAll(ticket)) {
            lastSeen().refused(ticket.kind(), ticket.sentNanos);
        }
    }

    /** Requests are answered. */
    void answered() {
        movingSinceNanos = null;
        if (outage != null) {
            outage.over();
        }
    }

    /** A call was granted the lock, and replicas have yet to confirm that. Grants of any loop may be gone with it. */
    void confirming(Ticket ticket) {
        answered();
        for (Unconfirmed grants : unconfirmedOfAll()) {
            grants.excludedBy(ticket);
        }
        if (unconfirmed == null) {
            unconfirmed = new Unconfirmed();
        }
        unconfirmed.add(ticket);
    }

    private List<Unconfirmed> unconfirmedOfAll() {
        if (asking.replication() == null) {
            return List.of();
        }
        return AcquisitionLoop.all(cell).stream()
                .flatMap(each -> Stream.ofNullable(each.ends().unconfirmed))
                .toList();
    }

    /** Whether a call that was refused stays, since its own owner may have the lock: it is asked again then. */
    boolean staysBehindItsOwn(Ticket refused) {
        return unconfirmedOfAll().stream().anyMatch(grants -> grants.keep(refused));
    }

    /** Whether what a call was granted, and replicas had yet to confirm, was freed by force meanwhile. */
    boolean isGone(Ticket granted) {
        return unconfirmed != null && unconfirmed.isGone(granted);
    }

    private long heardByNanos(long now) {
        return now
                + unconfirmedOfAll().stream()
                        .mapToLong(grants -> grants.heardByNanos(now) - now)
                        .max()
                        .orElse(0);
    }

    /** The replicas of a grant were heard. */
    void confirmed(Ticket ticket) {
        refuseLateIfSeenHeld();
        if (unconfirmed != null) {
            for (Ticket own : unconfirmed.remove(ticket)) {
                AcquisitionLoop wanting = AcquisitionLoop.of(cell, own.kind());
                if (wanting != null && wanting.has(own) && !own.isBusy()) {
                    wanting.ask(own);
                }
            }
        }
    }

    /** From when on a request of this call counts towards its longest outage. */
    long countsFromNanos(Ticket ticket) {
        return outage == null ? ticket.sentNanos : outage.sinceNanos(ticket);
    }

    /** A call has left. */
    void remove(Ticket ticket) {
        if (late != null) {
            late.remove(ticket);
        }
    }

    /** No call waits any more. */
    void end() {
        if (outage != null) {
            outage.end();
        }
    }

    Outage outage() {
        if (outage == null) {
            outage = new Outage(cell, calls, queue);
        }
        return outage;
    }

    private LastSeen lastSeen() {
        if (lastSeen == null) {
            lastSeen = new LastSeen(cell);
        }
        return lastSeen;
    }
}
