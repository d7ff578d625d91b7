package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Regained;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.step.Outcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call that awaits a condition of a fair lock. Its first request gives up the hold of its owner; it ends when its owner has the
 * lock again, with as many levels. The end of its time and an interrupt do not end it: it leaves the condition, and waits for the lock as
 * long as that takes.
 */
public final class AwaitTicket extends Ticket {

    public final Hold given;
    /** When it leaves the condition; null if it stays until a signal. */
    public final @Nullable Long dueNanos;

    /** Whether its owner has no hold any more; until then it waits for the operations on that hold. */
    private boolean hasGivenUp;
    /** Whether the hold that it gives up is known to be gone from the server. */
    private boolean confirmed;

    private boolean leaves;
    private boolean interrupted;
    /** Whether the request in flight says that it leaves. */
    private boolean asksToLeave;
    /** Whether it has left the condition by itself, and no signal has moved it. */
    private boolean hasLeft;

    public AwaitTicket(
            LockKeys keys,
            Terms terms,
            Hold given,
            @Nullable Long dueNanos,
            @Nullable Thread thread,
            long startNanos,
            Pending<Optional<Hold>> result) {
        super(
                keys,
                terms,
                given.owner,
                new LeaseTerm(given.longestLeaseMillis(), given.isWatched()),
                NEVER,
                thread,
                startNanos,
                result);
        this.given = given;
        this.dueNanos = dueNanos;
    }

    // --- what its request says ---

    @Override
    void asks(byte[] ownField, byte @Nullable [] besideField, int distanceNow, int tokensToPutBy, long now) {
        asksToLeave = leaves;
        super.asks(ownField, besideField, distanceNow, tokensToPutBy, now);
    }

    @Override
    public byte[] heldBeside() {
        return given.field;
    }

    @Override
    public int levels() {
        return given.count();
    }

    @Override
    public boolean leavesCondition() {
        return asksToLeave;
    }

    @Override
    boolean givesUp() {
        return !confirmed;
    }

    /** Its place in the condition is there for as long as its client counts as present. */
    @Override
    boolean isKeptByOthers() {
        return true;
    }

    // --- what becomes of it ---

    /** The hold has ended here; what the server still has of it goes with the first request, or without one if this call ends before. */
    public void hasGivenUp() {
        hasGivenUp = true;
    }

    /**
     * Its time is over, or its thread was interrupted.
     *
     * @return false if it leaves already, or is over
     */
    boolean isToLeave(boolean byInterrupt) {
        if (leaves || isOver()) {
            return false;
        }
        leaves = true;
        interrupted = byInterrupt;
        return true;
    }

    /**
     * A request is answered.
     *
     * @return whether the server knew neither the hold that was to be given up nor this call, and no earlier request can be why
     */
    boolean findsNoHold(Outcome outcome) {
        boolean finds = !confirmed && !maybeApplied && outcome.isAnew();
        confirmed = true;
        hasLeft |= outcome.hasLeft();
        return finds;
    }

    boolean isConfirmed() {
        return confirmed;
    }

    @Override
    void isTakenOut(HoldSteps holds) {
        if (hasGivenUp && !confirmed) {
            confirmed = true;
            holds.freeGivenUp(given);
        }
    }

    @Override
    LockKind grantedKind() {
        return Queued.FAIR;
    }

    @Override
    Hold hold(LockCell cell, byte[] grantedField, Outcome.Granted granted, long now) {
        return Regained.of(
                cell,
                given,
                new Terms(grantedKind(), options(), terms.telling()),
                grantedField,
                granted.token(),
                granted.leases(),
                leaseMillis(),
                thread,
                now);
    }

    // --- once it is over ---

    /** Whether no signal had come when its time was over. */
    public boolean timedOut() {
        return hasLeft && !interrupted;
    }

    /** Whether no signal had come when its thread was interrupted. */
    public boolean wasInterrupted() {
        return hasLeft && interrupted;
    }
}
