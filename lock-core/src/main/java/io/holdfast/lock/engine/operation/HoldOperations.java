package io.holdfast.lock.engine.operation;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.Bounded;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Regained;
import io.holdfast.lock.engine.hold.Share;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.wait.Acquisitions;
import io.holdfast.lock.engine.wait.Asking;
import io.holdfast.lock.engine.wait.AwaitTicket;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.engine.wait.HeadAsks;
import io.holdfast.lock.engine.wait.HoldSteps;
import io.holdfast.lock.engine.wait.Loops;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.engine.wait.Turns;
import io.holdfast.lock.spi.Timer;

/**
 * What happens to the holds of a client: re-entry, release, hand-over to a waiter, extension, and freeing by force. Each
 * is an {@link Exchange} of its own; this is where they come in and take their turns.
 *
 * <p>Operations on one hold run one after the other. On its final release the hold ends here before anything is sent.
 * If a waiter of this client can take over, the lock is moved to it in one step, without a moment in which it is free;
 * where a lock or its place has no such step, the waiter's request follows right behind the release. A run of such hand-overs
 * is bounded by {@link Turns}; then the lock is really freed, and the local head does not ask until others have heard of
 * it, so that other processes get their turn.
 *
 * <p>It has no state: one serves all cells. Everything here runs within the hold's cell's gate.
 */
public final class HoldOperations implements HoldSteps {

    private final HoldTools tools;
    private final Deadlines deadlines;
    private final Acquisitions calls;

    public HoldOperations(HoldTools tools, Asking asking, Cells cells) {
        this.tools = tools;
        this.deadlines = asking.deadlines();
        this.calls = new Acquisitions(
                asking, cells, tools.watchdog(), tools.undoer(), tools.events(), tools.records(), this, new Loops());
    }

    /** Where calls that want a lock come in. */
    public Acquisitions calls() {
        return calls;
    }

    // --- re-entry ---

    /**
     * Raises the count, unless the owner would wait for itself. An outage counts from now, though the turn may come later;
     * when it comes, a release that was asked for before has ended the hold.
     */
    @Override
    public void reenter(Hold hold, Ticket ticket) {
        long askedNanos = hold.cell.nanos();
        if (hold.isBusy()) {
            ticket.sentNanos = askedNanos;
            long left = deadlines.answerDueNanos(ticket, askedNanos) - askedNanos;
            ticket.deadlineTimer = after(left, hold, () -> {
                // It may wait for the lock again, since the hold has ended.
                if (!ticket.isOver() && !ticket.queued) {
                    calls.fail(hold.cell, ticket, Failures.noTurn(hold.cell.node()));
                }
            });
        }
        hold.operate(() -> sendReentry(hold, ticket, askedNanos));
    }

    private Timer after(long nanos, Hold hold, Runnable step) {
        return tools.facts().runtime().after(nanos, () -> hold.cell.run(step));
    }

    private void sendReentry(Hold hold, Ticket ticket, long askedNanos) {
        ticket.cancelTimers();
        if (ticket.isOver() || !hold.isAlive()) {
            hold.operationEnded();
            if (!ticket.isOver()) {
                calls.acquire(ticket);
            }
            return;
        }
        if (!hold.kind().includes(ticket.kind())) {
            RuntimeException itself = Failures.wouldWaitForItself(
                    hold.cell.keys.name(), hold.ownerText(), hold.owner, hold.cell.node(), hold.kind(), ticket.kind());
            calls.fail(hold.cell, ticket, itself, FailureReason.HELD_BY_ITSELF, "the owner's own hold excludes it");
            hold.operationEnded();
            return;
        }
        long now = hold.cell.nanos();
        ticket.sentNanos = now;
        long due = deadlines.answerDueNanos(ticket, askedNanos);
        new Reentry(tools, this, calls, hold, ticket, due - now, due).start();
    }

    // --- release ---

    /** Ends as soon as whatever was asked of the hold before has been sent. */
    public void follow(Hold hold, Pending<Done> result) {
        hold.operate(() -> {
            result.complete(Done.DONE);
            hold.operationEnded();
        });
    }

    /** Releases one level. Its caller is kept for one command timeout, though its turn may come later (rule 133). */
    public void release(Hold hold, Pending<Done> result) {
        if (hold.beginOperation()) {
            releaseLevel(hold, result);
        } else {
            Pending<Done> inTime = inTime(hold, result);
            hold.operateLater(() -> releaseLevel(hold, inTime));
        }
    }

    /** The caller of a release whose turn comes later is told in time that its outcome is not known. */
    private Pending<Done> inTime(Hold hold, Pending<Done> result) {
        return Bounded.of(
                result,
                step -> after(tools.commandNanos(), hold, step),
                late -> tools.failRelease(hold, Failures.noAnswer(hold.cell.node(), true), late));
    }

    /** Releases the newest level that a MultiLock took. */
    public void release(Hold hold, Object taker, Pending<Done> result) {
        Pending<Done> inTime = hold.isBusy() ? inTime(hold, result) : result;
        hold.operate(() -> {
            if (hold.raiseLevelOf(taker)) {
                releaseLevel(hold, inTime);
            } else {
                inTime.fail(Failures.notTaken(hold.cell.keys.name(), hold.ownerText(), hold.owner, hold.cell.node()));
                hold.operationEnded();
            }
        });
    }

    private void releaseLevel(Hold hold, Pending<Done> result) {
        boolean ended = hold.hasEnded();
        LockLoss loss = hold.loss();
        if (loss != null && hold.count() > 0) {
            tellOwner(hold, loss, result);
        } else if (ended) {
            result.fail(hold.cell.notHeld(hold.owner));
            hold.operationEnded();
        } else if (hold.count() > 1) {
            lower(hold, result);
        } else {
            finish(hold, result);
        }
    }

    /** The owner learns of the loss at each release that it owes. */
    private void tellOwner(Hold hold, LockLoss loss, Pending<Done> result) {
        hold.popLevel();
        if (hold.count() == 0) {
            hold.cell.forget(hold);
        }
        result.fail(Failures.lost(hold.cell.keys.named(), loss));
        hold.operationEnded();
    }

    /** Gives back a level that the caller of a re-entry does not want any more. */
    void dropLevel(Hold hold) {
        lower(hold, new Unwanted<>());
    }

    /** Counts are absolute: what no caller waits for any more is left to the next request of the hold. */
    private void lower(Hold hold, Pending<Done> result) {
        if (!hold.kind().isCounted() || result.isSettled()) {
            if (hold.popLevel()) {
                tools.watchdog().changed(hold);
            }
            result.complete(Done.DONE);
            hold.operationEnded();
            return;
        }
        new Lowering(tools, hold, result).start();
    }

    /** Gives back a grant that is not wanted any more. */
    @Override
    public void free(Hold hold) {
        finish(hold, new Unwanted<>());
    }

    private void finish(Hold hold, Pending<Done> result) {
        if (!hold.release()) {
            LockLoss loss = hold.loss();
            if (loss != null) {
                tellOwner(hold, loss, result);
            }
            return;
        }
        hold.cell.remove(hold);
        HeadAsks wanting = HeadAsks.of(hold.cell);
        Ticket receiver = wanting == null ? null : wanting.receiver();
        if (wanting == null || receiver == null) {
            tools.watchdog().unwatch(hold);
            releaseFollowed(hold, result);
        } else {
            passOn(hold, wanting, receiver, result);
        }
        hold.operationEnded();
    }

    /** Ends a hold while another call of this client waits for the lock. */
    private void passOn(Hold hold, HeadAsks wanting, Ticket receiver, Pending<Done> result) {
        Turns turns = wanting.turns(hold, receiver);
        long now = hold.cell.nanos();
        boolean movable = isMovable(hold, receiver);
        boolean goesOn = turns.mayGoOn(now);
        // A hold that is not renewed any more leaves no lease to another that is to be.
        boolean asWatched = hold.isWatched() == receiver.watched();
        Share next = goesOn && movable && asWatched && hold.leases instanceof Share share
                ? share.next(receiver.leaseMillis(), receiver.watched(), now)
                : null;
        if (next != null) {
            turns.handingOver(now);
            handOn(hold, turns, receiver, next, result);
            return;
        }
        tools.watchdog().unwatch(hold);
        long dueNanos = tools.releaseDueNanos(hold);
        if (!goesOn) {
            wanting.yields(turns);
            new Release(tools, hold, result, dueNanos, turns).start();
        } else if (movable) {
            turns.handingOver(now);
            int tokens = wanting.tokens(receiver, turns);
            new Transfer(tools, calls, hold, receiver, turns, tokens, dueNanos, result).start();
        } else {
            turns.followed();
            releaseFollowed(hold, result);
        }
    }

    /**
     * Hands the lock on without asking the server, within what it has granted: the next hold has the same field and lease (rule
     * 100).
     */
    private void handOn(Hold hold, Turns turns, Ticket receiver, Share next, Pending<Done> result) {
        turns.handedOn();
        if (hold.isDelivered()) {
            tools.events().transferred(hold, true);
        }
        calls.handedOver(receiver, true);
        calls.begin(hold.cell, receiver, hold.field, new Outcome.Granted(next.token(), next));
        // Its lease may have gone while it changed hands.
        next.get(0).hold().state();
        result.complete(Done.DONE);
    }

    private boolean isMovable(Hold hold, Ticket receiver) {
        return tools.place().handsOver() && hold.kind().isTransferable() && hold.kind() == receiver.kind();
    }

    /** Frees the lock; if another call of this client wants it, its request follows right behind. */
    private void releaseFollowed(Hold hold, Pending<Done> result) {
        new Release(tools, hold, result, tools.releaseDueNanos(hold), null).start();
        hold.cell.holdReleased();
    }

    // --- conditions ---

    /**
     * Gives up all levels of a hold, to await a condition: the hold ends here before anything is sent, and the first request of the
     * call ends it at the server (rule 63). A call that was cancelled while it waited for its turn gives up the hold as any other.
     */
    public void await(AwaitTicket ticket) {
        Hold hold = ticket.given;
        hold.operate(() -> {
            giveUp(hold, ticket);
            hold.operationEnded();
        });
    }

    private void giveUp(Hold hold, AwaitTicket ticket) {
        boolean isShared = Regained.wouldMissSome(hold);
        if (isShared || hold.cell.holds().alive(hold.owner, Reading.KIND) != null) {
            ticket.result.fail(Failures.keepsTheLock(
                    hold.cell.keys.name(), hold.ownerText(), hold.owner, hold.cell.node(), isShared));
            return;
        }
        if (!hold.release()) {
            LockLoss loss = hold.loss();
            ticket.result.fail(
                    loss == null ? hold.cell.notHeld(hold.owner) : Failures.lost(hold.cell.keys.named(), loss));
            return;
        }
        tools.watchdog().unwatch(hold);
        hold.cell.remove(hold);
        if (ticket.isOver()) {
            freeGivenUp(hold);
        } else {
            ticket.hasGivenUp();
            if (ticket.dueNanos != null) {
                long left = Math.max(0, ticket.dueNanos - hold.cell.nanos());
                ticket.deadlineTimer = after(left, hold, () -> calls.leaveCondition(ticket, false));
            }
            calls.acquire(ticket);
        }
        hold.cell.run(hold.cell::holdReleased);
    }

    @Override
    public void givenUp(Hold hold) {
        if (hold.isDelivered()) {
            tools.events().released(hold);
        }
    }

    @Override
    public void freeGivenUp(Hold hold) {
        tools.undoer().undo(hold);
        givenUp(hold);
    }

    @Override
    public LockLoss lostBeforeRelease(Hold hold) {
        LockLoss loss = hold.lostBeforeRelease();
        tools.losses().lost(hold, loss);
        return loss;
    }

    /** Signals a condition: moves the first call that awaits it, or all, into the lock's queue (rule 64). */
    public void signal(Hold hold, Awaiting condition, boolean all, Pending<Done> result) {
        long askedNanos = hold.cell.nanos();
        hold.operate(() -> {
            if (hold.isAlive()) {
                byte[] id = tools.facts().newField(hold.owner);
                long due = deadlines.writeDueNanos(askedNanos, hold.cell.nanos());
                new Signalling(tools, hold, condition, id, all, due, result).start();
            } else {
                LockLoss loss = hold.loss();
                result.fail(loss == null ? hold.cell.notHeld(hold.owner) : Failures.lost(hold.cell.keys.named(), loss));
                hold.operationEnded();
            }
        });
    }

    // --- extension ---

    /** Makes the hold last at least so much longer. */
    public void extend(Hold hold, long leaseMillis, Pending<Done> result) {
        long due = hold.cell.nanos() + tools.commandNanos();
        Timer late = !hold.isBusy()
                ? null
                : after(
                        tools.commandNanos(),
                        hold,
                        () -> result.fail(Failures.of(
                                hold.cell.keys.named(), hold.ownerText(), Failures.noTurn(hold.cell.node()))));
        hold.operate(() -> {
            if (late != null) {
                late.cancel();
            }
            if (result.isSettled()) {
                hold.operationEnded();
            } else if (!hold.isAlive()) {
                LockLoss loss = hold.loss();
                result.fail(loss == null ? hold.cell.notHeld(hold.owner) : Failures.lost(hold.cell.keys.named(), loss));
                hold.operationEnded();
            } else {
                new Extension(tools, hold, leaseMillis, due, result).start();
            }
        });
    }

    /** The newest level that a MultiLock took is not renewed any more. */
    public void endWatching(Hold hold, Object taker, Pending<Done> result) {
        hold.operate(() -> {
            hold.unwatchLevelOf(taker);
            tools.watchdog().changed(hold);
            result.complete(Done.DONE);
            hold.operationEnded();
        });
    }

    // --- force ---

    /** Frees the lock, whichever owner holds it. */
    public void force(LockCell cell, LockKind kind, Pending<Boolean> result) {
        new ForcedRelease(tools, cell, kind, result).start();
    }
}
