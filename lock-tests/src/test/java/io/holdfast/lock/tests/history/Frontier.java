package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where sequential runs may have got to: the lock's state, and which of the open calls have had their place. Of two runs
 * with the same state, one that has used fewer of the calls without an answer can do whatever the other can.
 */
final class Frontier {

    private final BitSet undecided;
    private final Map<LockState, List<BitSet>> places = new LinkedHashMap<>();
    private long comparisons;

    /** @param undecided the calls without an answer, which need no place at all */
    Frontier(BitSet undecided) {
        this.undecided = undecided;
    }

    /** One run. */
    record Place(LockState state, BitSet placed) {

        Place at(LockState next) {
            return new Place(next, placed);
        }

        Place with(LockState next, int call) {
            BitSet more = (BitSet) placed.clone();
            more.set(call);
            return new Place(next, more);
        }

        /** The call is over; who has not placed it by now is out, so nobody needs to remember it. */
        Place without(int call) {
            BitSet fewer = (BitSet) placed.clone();
            fewer.clear(call);
            return new Place(state, fewer);
        }
    }

    /** Adds a run unless a better one is there; returns whether it was added. */
    boolean add(Place place) {
        List<BitSet> same = places.computeIfAbsent(place.state(), state -> new ArrayList<>());
        comparisons += 1 + same.size();
        for (BitSet other : same) {
            if (isBetter(other, place.placed())) {
                return false;
            }
        }
        same.removeIf(other -> isBetter(place.placed(), other));
        same.add(place.placed());
        return true;
    }

    /** How much work it was to add what there is. */
    long comparisons() {
        return comparisons;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    List<Place> places() {
        List<Place> all = new ArrayList<>();
        places.forEach((state, sets) -> sets.forEach(set -> all.add(new Place(state, set))));
        return all;
    }

    /** Whether the first has placed some of the same calls, and the second beside them only undecided ones. */
    private boolean isBetter(BitSet fewer, BitSet more) {
        BitSet missing = (BitSet) fewer.clone();
        missing.andNot(more);
        if (!missing.isEmpty()) {
            return false;
        }
        BitSet beside = (BitSet) more.clone();
        beside.andNot(fewer);
        beside.andNot(undecided);
        return beside.isEmpty();
    }
}
