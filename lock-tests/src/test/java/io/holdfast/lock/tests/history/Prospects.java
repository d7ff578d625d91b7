package io.holdfast.lock.tests.history;

import java.util.BitSet;
import java.util.List;

/**
 * Which runs are worth going on with. Nothing is left out that could lead to an order: a run is given up if the call that
 * must have its place next can't have it any more, and what can wait is not tried early.
 */
final class Prospects {

    private final Model model;
    private final List<Operation> calls;
    /** For each grant with a token, the calls that were answered with a smaller one. */
    private final BitSet[] olderTokens;
    /** Calls whose answers were passed, so that they have had their places. */
    private final BitSet over = new BitSet();
    /** Calls that are open and were answered later. */
    private final BitSet awaited = new BitSet();

    Prospects(Model model, List<Operation> calls) {
        this.model = model;
        this.calls = calls;
        this.olderTokens = new BitSet[calls.size()];
        for (int i = 0; i < olderTokens.length; i++) {
            olderTokens[i] = olderTokens(calls.get(i));
        }
    }

    private BitSet olderTokens(Operation grant) {
        BitSet older = new BitSet();
        if (!model.isFenced() || grant.call() != Call.ACQUIRE || grant.outcome() != Outcome.OK) {
            return older;
        }
        for (int i = 0; i < calls.size(); i++) {
            Operation other = calls.get(i);
            older.set(i, other.outcome() == Outcome.OK && other.token() > 0 && other.token() < grant.token());
        }
        return older;
    }

    /** A call is open. */
    void opened(int call) {
        awaited.set(call, calls.get(call).isDecided());
    }

    /** The answer of a call has been passed. */
    void passed(int call) {
        over.set(call);
        awaited.clear(call);
    }

    /** Whether a hold stands in the way of a call of somebody else, and neither time nor its owner can end it before. */
    boolean isDeadEnd(Frontier.Place place, int wanted, BitSet open, long nanos) {
        LockState state = place.state();
        Operation next = calls.get(wanted);
        boolean inTheWay = model.knowsOwners()
                && state.isHeld()
                && !state.isHeldBy(next.owner())
                && !state.mayHaveEnded(nanos)
                && next.outcome() == Outcome.OK
                && next.call() != Call.FORGET;
        if (!inTheWay) {
            return false;
        }
        int levels = state.count();
        for (int i = open.nextSetBit(0); i >= 0 && levels > 0; i = open.nextSetBit(i + 1)) {
            Operation other = calls.get(i);
            if (other.call() == Call.RELEASE
                    && other.outcome() != Outcome.LOST
                    && !place.placed().get(i)
                    && state.isHeldBy(other.owner())) {
                levels--;
            }
        }
        return levels > 0;
    }

    /**
     * Whether a call need not have its place yet. A grant that nobody was told of matters to its owner's other calls and
     * to who is refused; without them it can as well come later. And tokens increase from hold to hold, so what was told
     * of a smaller one comes first.
     */
    boolean canWait(int call, Frontier.Place place) {
        Operation operation = calls.get(call);
        if (operation.call() != Call.ACQUIRE) {
            return false;
        }
        if (operation.isDecided()) {
            for (int i = olderTokens[call].nextSetBit(0); i >= 0; i = olderTokens[call].nextSetBit(i + 1)) {
                if (!place.placed().get(i) && !over.get(i)) {
                    return true;
                }
            }
            return false;
        }
        return model.knowsOwners() && !matters(operation, place);
    }

    private boolean matters(Operation grant, Frontier.Place place) {
        for (int i = awaited.nextSetBit(0); i >= 0; i = awaited.nextSetBit(i + 1)) {
            Operation other = calls.get(i);
            boolean concerned =
                    other.outcome() == Outcome.REFUSED || other.owner().equals(grant.owner());
            if (concerned && !place.placed().get(i)) {
                return true;
            }
        }
        return false;
    }
}
