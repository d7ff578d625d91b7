package io.holdfast.lock.tests.history;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether a short history is possible, found out by trying every order: what {@link Search} is compared with. */
final class EveryOrder {

    private final Model model;
    private final List<Operation> calls;
    private final Set<Frontier.Place> seen = new HashSet<>();

    EveryOrder(Model model, History history) {
        this.model = model;
        this.calls = history.operations().stream().filter(Operation::matters).toList();
    }

    boolean isPossible() {
        return isPossible(new Frontier.Place(LockState.NEW, new BitSet()));
    }

    private boolean isPossible(Frontier.Place place) {
        if (!seen.add(place)) {
            return false;
        }
        long earliestAnswer = earliestAnswer(place.placed());
        if (earliestAnswer == Operation.FOREVER) {
            return true;
        }
        if (place.state().isOrphan() && isPossible(place.at(place.state().free()))) {
            return true;
        }
        for (int i = place.placed().nextClearBit(0);
                i < calls.size();
                i = place.placed().nextClearBit(i + 1)) {
            Operation call = calls.get(i);
            if (call.invokedNanos() > earliestAnswer) {
                continue;
            }
            for (LockState state :
                    model.step(place.state(), call, earliestAnswer).states()) {
                boolean again = !call.isDecided() && state.isOrphan() && state.count() == 1;
                if (isPossible(place.with(state, i)) || (again && isPossible(place.at(state)))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** When the first of the calls that have no place yet was answered. */
    private long earliestAnswer(BitSet placed) {
        long earliest = Operation.FOREVER;
        for (int i = 0; i < calls.size(); i++) {
            if (!placed.get(i) && calls.get(i).isDecided()) {
                earliest = Math.min(earliest, calls.get(i).completedNanos());
            }
        }
        return earliest;
    }
}
