package io.holdfast.lock.tests.history;

import java.util.List;
import java.util.Locale;

/**
 * What a lock may do, one call after the other. The models grow: each but the last lets through what the stricter ones
 * find. In all of them a hold may end by itself as soon as its validity is over, and never before.
 */
public enum Model {
    /** Taken only while free, given back only while taken; by anybody. */
    MUTEX(false, false, false),
    /** Given back only by whoever took it. */
    OWNER_AWARE_MUTEX(true, false, false),
    /** Its owner may take it again, and has to give it back as often. */
    REENTRANT_MUTEX(true, true, false),
    /** Every hold has a token greater than those before. */
    FENCED_MUTEX(true, false, true),
    /** Taking it again does not change the token. */
    REENTRANT_FENCED_MUTEX(true, true, true);

    private final boolean owners;
    private final boolean reentrant;
    private final boolean fenced;

    Model(boolean owners, boolean reentrant, boolean fenced) {
        this.owners = owners;
        this.reentrant = reentrant;
        this.fenced = fenced;
    }

    /** Whether it matters who calls. */
    boolean knowsOwners() {
        return owners;
    }

    /** Whether holds have tokens. */
    boolean isFenced() {
        return fenced;
    }

    /** What the lock may be after a call that took effect at this moment or before; no state if it can't have. */
    Step step(LockState state, Operation operation, long latestNanos) {
        return switch (operation.call()) {
            case ACQUIRE -> acquire(state, operation, latestNanos);
            case RELEASE -> release(state, operation, latestNanos);
            case EXTEND -> extend(state, operation, latestNanos);
            case FORGET -> state.isHeld() ? Step.to(List.of(state.free(), state)) : Step.to(state);
        };
    }

    /** What a call asks for: two that ask for the same can stand for each other. */
    List<Object> wish(Operation operation) {
        return List.of(operation.call(), owners ? operation.owner() : "", fenced ? operation.token() : 0L);
    }

    private Step acquire(LockState state, Operation operation, long latestNanos) {
        return switch (operation.outcome()) {
            case REFUSED -> refusal(state, operation, latestNanos);
            case LOST -> lost(state, operation, latestNanos);
            default -> grant(state, operation, latestNanos);
        };
    }

    /** Its own hold may stand in an owner's way when the owner has lost it and the store does not know yet. */
    private Step refusal(LockState state, Operation operation, long latestNanos) {
        boolean mine = owners && state.isHeldBy(operation.owner()) && !state.mayHaveEnded(latestNanos);
        return state.isHeld() && !mine
                ? Step.to(state)
                : Step.impossible("it was refused although nobody else held it");
    }

    private Step grant(LockState state, Operation operation, long latestNanos) {
        boolean again = reentrant && state.isHeldBy(operation.owner());
        if (!state.isHeld() || state.mayHaveEnded(latestNanos)) {
            Step first = firstGrant(state, operation);
            return again ? first.or(reentry(state, operation)) : first;
        }
        return again ? reentry(state, operation) : Step.impossible("granted while the lock was held");
    }

    private Step firstGrant(LockState state, Operation operation) {
        if (operation.isDecided()) {
            if (fenced && operation.token() != 0 && operation.token() <= state.lastToken()) {
                return Step.impossible(
                        "token " + operation.token() + " is not greater than " + state.lastToken() + " before it");
            }
            if (reentrant && operation.count() > 1) {
                return Step.impossible("a new hold is counted " + operation.count() + " times");
            }
        }
        return Step.to(state.heldBy(operation));
    }

    private Step reentry(LockState state, Operation operation) {
        int count = state.count() + 1;
        if (!operation.isDecided()) {
            return Step.to(state.counting(count));
        }
        if (fenced && state.token() != 0 && operation.token() != 0 && operation.token() != state.token()) {
            return Step.impossible("taken again under token " + operation.token() + ", held under " + state.token());
        }
        if (operation.count() != 0 && operation.count() != count) {
            return Step.impossible("counted " + operation.count() + " times, held " + count + " times");
        }
        return Step.to(state.counting(count).under(operation.token()).lasting(operation.validUntilNanos()));
    }

    private Step release(LockState state, Operation operation, long latestNanos) {
        if (operation.outcome() == Outcome.LOST) {
            return lost(state, operation, latestNanos);
        }
        return isOwnHold(state, operation)
                ? Step.to(state.counting(state.count() - 1))
                : Step.impossible("released a lock that it did not hold");
    }

    private Step extend(LockState state, Operation operation, long latestNanos) {
        if (operation.outcome() == Outcome.LOST) {
            return lost(state, operation, latestNanos);
        }
        return isOwnHold(state, operation)
                ? Step.to(state.lasting(operation.validUntilNanos()))
                : Step.impossible("prolonged a hold that it did not have");
    }

    /** Nothing is changed: that the owner knows of the end need not mean that the store does. */
    private Step lost(LockState state, Operation operation, long latestNanos) {
        return isOwnHold(state, operation) && !state.mayHaveEnded(latestNanos)
                ? Step.impossible("its own hold was told lost while it was valid")
                : Step.to(state);
    }

    private boolean isOwnHold(LockState state, Operation operation) {
        boolean mine = owners ? state.isHeldBy(operation.owner()) : state.isHeld();
        boolean same = !fenced
                || operation.call() == Call.ACQUIRE
                || operation.token() == 0
                || state.token() == 0
                || operation.token() == state.token();
        return mine && same;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
