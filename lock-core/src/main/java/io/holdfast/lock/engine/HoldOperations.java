package io.holdfast.lock.engine;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the holds of a client: re-entry, release, hand-over to a waiter, extension.
 *
 * <p>Operations on one hold run one after the other. On its final release the hold ends here before anything is sent.
 * If a waiter of this client can take over, the lock is moved to it in one step, without a moment in which it is free;
 * where a kind of lock has no such step, the waiter's request follows right behind the release. A run of such hand-overs
 * is bounded by {@link Turns}; then the lock is really freed, and the local head does not ask until others have heard of
 * it, so that other processes get their turn.
 *
 * <p>It has no state: one serves all cells. Everything here runs within the hold's cell's gate.
 */
final class HoldOperations {

    private final Engine engine;

    HoldOperations(Engine engine) {
        this.engine = engine;
    }

    // --- re-entry ---

    /** Raises the count. An outage counts from now, though the turn may come later. */
    void reenter(Hold hold, Ticket ticket) {
        long askedNanos = hold.cell.nanos();
        if (hold.isBusy()) {
            ticket.sentNanos = askedNanos;
            long patience = engine.patience().answerDueNanos(ticket, askedNanos) - askedNanos;
            ticket.deadlineTimer = after(patience, hold, () -> {
                // It may have gone back to those who want the lock, since the hold has ended.
                if (!ticket.isOver() && !ticket.queued) {
                    hold.cell.fail(ticket, Failures.noTurn(hold.cell.node()));
                }
            });
        }
        hold.operate(() -> sendReentry(hold, ticket, askedNanos));
    }

    private Timer after(long nanos, Hold hold, Runnable step) {
        return engine.runtime().after(nanos, () -> hold.cell.run(step));
    }

    private void sendReentry(Hold hold, Ticket ticket, long askedNanos) {
        ticket.cancelTimers();
        if (ticket.isOver() || !hold.isAlive()) {
            hold.operationEnded();
            if (!ticket.isOver()) {
                hold.cell.acquire(ticket);
            }
            return;
        }
        long now = hold.cell.nanos();
        ticket.sentNanos = now;
        long due = engine.patience().answerDueNanos(ticket, askedNanos);
        int count = hold.count() + 1;
        new Exchange(engine, hold.cell, due - now, due) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().reenter(hold, count, ticket.leaseMillis, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Done && hold.isAlive()) {
                    hold.pushLevel(ticket);
                    engine.keeper().changed(hold);
                    if (!ticket.result.complete(Optional.of(hold))) {
                        sendLowering(hold, hold.cell.nanos(), new Unwanted<>());
                        return;
                    }
                } else {
                    ticket.result.fail(Failures.lost(lossOf(hold, "the server did not know this hold at a re-entry")));
                }
                hold.operationEnded();
            }

            @Override
            void gaveUp(Fault fault) {
                hold.cell.fail(ticket, fault);
                hold.operationEnded();
            }
        }.start();
    }

    /** The hold's loss; if it is not known yet, this is it. */
    private LockLoss lossOf(Hold hold, String detail) {
        hold.lose(LossReason.KEY_GONE, detail);
        LockLoss loss = hold.loss();
        if (loss == null) {
            throw new IllegalStateException(hold + " was released during an operation");
        }
        return loss;
    }

    // --- release ---

    /** Ends as soon as whatever was asked of the hold before has been sent. */
    void follow(Hold hold, Pending<Done> result) {
        hold.operate(() -> {
            result.complete(Done.DONE);
            hold.operationEnded();
        });
    }

    /** Releases one level. The time for it begins now, though its turn may come later. */
    void release(Hold hold, Pending<Done> result) {
        long askedNanos = hold.cell.nanos();
        if (hold.beginOperation()) {
            releaseLevel(hold, askedNanos, result);
        } else {
            hold.operateLater(() -> releaseLevel(hold, askedNanos, result));
        }
    }

    /** Releases the newest level that a MultiLock took. */
    void release(Hold hold, Object taker, Pending<Done> result) {
        long askedNanos = hold.cell.nanos();
        hold.operate(() -> {
            if (hold.raiseLevelOf(taker)) {
                releaseLevel(hold, askedNanos, result);
            } else {
                result.fail(engine.notTaken(hold));
                hold.operationEnded();
            }
        });
    }

    private void releaseLevel(Hold hold, long askedNanos, Pending<Done> result) {
        boolean ended = hold.hasEnded();
        LockLoss loss = hold.loss();
        if (loss != null && hold.count() > 0) {
            tellOwner(hold, loss, result);
        } else if (ended) {
            result.fail(engine.notHeld(
                    hold.cell.names, hold.owner, hold.cell.holds().anyAlive()));
            hold.operationEnded();
        } else if (hold.count() > 1) {
            sendLowering(hold, askedNanos, result);
        } else {
            finish(hold, askedNanos, result);
        }
    }

    /** The owner learns of the loss at each release that it owes. */
    private void tellOwner(Hold hold, LockLoss loss, Pending<Done> result) {
        hold.popLevel();
        if (hold.count() == 0) {
            hold.cell.forget(hold);
        }
        result.fail(Failures.lost(loss));
        hold.operationEnded();
    }

    private void sendLowering(Hold hold, long askedNanos, Pending<Done> result) {
        long dueNanos = engine.patience().releaseDueNanos(askedNanos, hold.cell.nanos());
        new Exchange(engine, hold.cell, engine.commandNanos(), dueNanos) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().release(hold, hold.count() - 1, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Done && hold.isAlive()) {
                    lowered();
                    result.complete(Done.DONE);
                } else {
                    LockLoss loss = lossOf(hold, "the server did not know this hold when it was released");
                    hold.popLevel();
                    result.fail(Failures.lost(loss));
                }
                hold.operationEnded();
            }

            @Override
            void gaveUp(Fault fault) {
                // Counts are absolute: the next operation on this hold sets the right one.
                lowered();
                result.fail(Failures.of(hold.cell.names.name(), hold.ownerText(), fault));
                hold.operationEnded();
            }

            private void lowered() {
                if (hold.popLevel()) {
                    engine.keeper().changed(hold);
                }
            }
        }.start();
    }

    /** Gives back a grant that nobody wants any more. */
    void free(Hold hold) {
        finish(hold, hold.cell.nanos(), new Unwanted<>());
    }

    private void finish(Hold hold, long askedNanos, Pending<Done> result) {
        if (!hold.release()) {
            LockLoss loss = hold.loss();
            if (loss != null) {
                tellOwner(hold, loss, result);
            }
            return;
        }
        engine.keeper().unwatch(hold);
        hold.cell.remove(hold);
        AcquisitionLoop wanting = hold.cell.loop();
        Ticket receiver = wanting == null ? null : wanting.receiver();
        if (wanting == null || receiver == null) {
            releaseFollowed(hold, askedNanos, result);
        } else {
            giveUp(hold, askedNanos, wanting.turns(hold), receiver, result);
        }
        hold.operationEnded();
        hold.cell.restIfIdle();
    }

    /** Ends a hold while somebody of this client waits for the lock. */
    private void giveUp(Hold hold, long askedNanos, Turns turns, Ticket receiver, Pending<Done> result) {
        if (!turns.mayGoOn(hold.cell.nanos())) {
            turns.releasing(hold.cell.nanos());
            sendRelease(hold, askedNanos, result, turns);
        } else if (engine.kind().transferable()) {
            sendTransfer(hold, askedNanos, receiver, turns, result);
        } else {
            turns.followed();
            releaseFollowed(hold, askedNanos, result);
        }
    }

    /** Frees the lock; if somebody of this client wants it, the request follows right behind. */
    private void releaseFollowed(Hold hold, long askedNanos, Pending<Done> result) {
        sendRelease(hold, askedNanos, result, null);
        hold.cell.holdEnded();
    }

    /** @param yielded whose turns the release is an end of; null unless others are to go first */
    private void sendRelease(Hold hold, long askedNanos, Pending<Done> result, @Nullable Turns yielded) {
        new Exchange(engine, hold.cell, engine.commandNanos(), releaseBound(hold, askedNanos)) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().release(hold, 0, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Done done) {
                    released(hold, result);
                    AcquisitionLoop wanting = hold.cell.loop();
                    if (yielded != null && wanting != null) {
                        wanting.afterYielding(yielded, done.listeners());
                    }
                } else {
                    gone(hold, result, repeated);
                    if (yielded != null) {
                        hold.cell.holdEnded();
                    }
                }
            }

            @Override
            void gaveUp(Fault fault) {
                if (!isUnanswered()) {
                    engine.settler().undo(hold.cell, hold);
                }
                result.fail(Failures.of(hold.cell.names.name(), hold.ownerText(), fault));
                if (yielded != null) {
                    hold.cell.holdEnded();
                }
            }

            /** While it was on its way, an undo would have said the same once more. */
            @Override
            void endedLate(Outcome outcome) {
                if (outcome instanceof Outcome.Failed) {
                    engine.settler().undo(hold.cell, hold);
                }
            }
        }.start();
    }

    private void sendTransfer(Hold hold, long askedNanos, Ticket receiver, Turns turns, Pending<Done> result) {
        byte[] field = engine.newField(receiver.owner);
        receiver.field = field;
        receiver.inFlight = true;
        receiver.receiving = true;
        receiver.sentNanos = hold.cell.nanos();
        receiver.answerDueNanos = receiver.sentNanos + engine.commandNanos();
        new Exchange(engine, hold.cell, engine.commandNanos(), releaseBound(hold, askedNanos)) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().transfer(hold, field, receiver.leaseMillis, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Granted granted) {
                    turns.handedOver();
                    if (repeated) {
                        granted.leases().askedBefore();
                    }
                    transferred(granted);
                } else {
                    gone(hold, result, repeated);
                    backToQueue();
                }
            }

            private void transferred(Outcome.Granted granted) {
                if (hold.isHandedOut()) {
                    engine.events().transferred(hold);
                }
                receiver.receiving = false;
                if (receiver.field == field) {
                    receiver.field = null;
                    receiver.inFlight = false;
                    hold.cell.grant(receiver, field, granted);
                } else {
                    // The receiver has given up unanswered. Its field is being undone; this makes sure of it.
                    engine.settler().undo(hold.cell, field, receiver.leaseMillis);
                    hold.cell.holdEnded();
                }
                // Last: the receiver is to be woken first.
                result.complete(Done.DONE);
                hold.cell.restIfIdle();
            }

            @Override
            void gaveUp(Fault fault) {
                if (fault.maybeApplied()) {
                    engine.settler().undo(hold.cell, field, receiver.leaseMillis);
                }
                if (fault.maybeApplied() || fault.kind().isTransient()) {
                    engine.settler().undo(hold.cell, hold);
                    result.fail(Failures.of(hold.cell.names.name(), hold.ownerText(), fault));
                } else {
                    sendRelease(hold, askedNanos, result, null);
                }
                backToQueue();
            }

            private void backToQueue() {
                receiver.receiving = false;
                if (receiver.field == field) {
                    receiver.field = null;
                    receiver.inFlight = false;
                }
                hold.cell.holdEnded();
            }
        }.start();
    }

    /** Trying to release ends when the lease is surely over, or the longest outage. */
    private long releaseBound(Hold hold, long askedNanos) {
        long now = hold.cell.nanos();
        long leaseOver = hold.validUntilNanos(now) + 2 * Lease.marginNanos(hold.longestLeaseMillis()) - now;
        long outageOver = engine.patience().releaseDueNanos(askedNanos, now) - now;
        return now + Math.max(engine.commandNanos(), Math.min(leaseOver, outageOver));
    }

    private void released(Hold hold, Pending<Done> result) {
        result.complete(Done.DONE);
        if (hold.isHandedOut()) {
            engine.events().released(hold);
        }
    }

    /**
     * The server does not know the field. If an earlier try may have removed it, that is what was wanted (rule 18);
     * else the hold had been lost before.
     */
    private void gone(Hold hold, Pending<Done> result, boolean repeated) {
        if (repeated || !hold.isHandedOut()) {
            released(hold, result);
        } else {
            LockLoss loss = hold.lostBeforeRelease();
            result.fail(Failures.lost(loss));
            engine.lost(hold, loss);
        }
    }

    // --- extension ---

    /** Makes the hold last at least so much longer. */
    void extend(Hold hold, long leaseMillis, Pending<Done> result) {
        long due = hold.cell.nanos() + engine.commandNanos();
        Timer late = !hold.isBusy()
                ? null
                : after(
                        engine.commandNanos(),
                        hold,
                        () -> result.fail(Failures.of(
                                hold.cell.names.name(), hold.ownerText(), Failures.noTurn(hold.cell.node()))));
        hold.operate(() -> {
            if (late != null) {
                late.cancel();
            }
            if (result.isSettled()) {
                hold.operationEnded();
            } else if (!hold.isAlive()) {
                LockLoss loss = hold.loss();
                result.fail(
                        loss == null
                                ? engine.notHeld(
                                        hold.cell.names,
                                        hold.owner,
                                        hold.cell.holds().anyAlive())
                                : Failures.lost(loss));
                hold.operationEnded();
            } else {
                sendExtension(hold, leaseMillis, due, result);
            }
        });
    }

    /** The newest level that a MultiLock took is not renewed any more. */
    void endWatching(Hold hold, Object taker, Pending<Done> result) {
        hold.operate(() -> {
            hold.unwatchLevelOf(taker);
            engine.keeper().changed(hold);
            result.complete(Done.DONE);
            hold.operationEnded();
        });
    }

    private void sendExtension(Hold hold, long leaseMillis, long due, Pending<Done> result) {
        new Exchange(engine, hold.cell, due - hold.cell.nanos(), due) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().extend(hold, leaseMillis, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Done && hold.isAlive()) {
                    engine.keeper().changed(hold);
                    result.complete(Done.DONE);
                } else {
                    result.fail(Failures.lost(lossOf(hold, "the server did not know this hold when it was extended")));
                }
                hold.operationEnded();
            }

            @Override
            void gaveUp(Fault fault) {
                result.fail(Failures.of(hold.cell.names.name(), hold.ownerText(), fault));
                hold.operationEnded();
            }
        }.start();
    }

    // --- force ---

    /** Frees the lock whoever holds it. */
    void force(LockCell cell, Pending<Boolean> result) {
        long bound = cell.nanos() + engine.commandNanos();
        new Exchange(engine, cell, engine.commandNanos(), bound) {
            @Override
            void send(long deadlineNanos, Step step) {
                engine.kind().force(cell, deadlineNanos, step);
            }

            @Override
            void answered(Outcome outcome, boolean repeated) {
                boolean freed = outcome instanceof Outcome.Done;
                if (freed) {
                    Holds forced = cell.holds();
                    for (int i = 0; i < forced.size(); i++) {
                        forced.get(i).lose(LossReason.FORCED, "forceUnlock was called in this client");
                    }
                }
                result.complete(freed || repeated);
                cell.restIfIdle();
            }

            @Override
            void gaveUp(Fault fault) {
                result.fail(Failures.of(cell.names.name(), "", fault));
                cell.restIfIdle();
            }
        }.start();
    }
}
