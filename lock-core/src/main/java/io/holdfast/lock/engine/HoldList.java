package io.holdfast.lock.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds of one lock, hardly ever more than one. Steps of the cell write it; any thread may read it, hence the copying.
 */
final class HoldList {

    private static final Hold[] NONE = {};

    /** Null, the only hold, or an array of several: nearly every lock that is held has one, which needs no array. */
    private volatile @Nullable Object holds;

    boolean isEmpty() {
        return holds == null;
    }

    /** The owner's hold, whatever became of it. */
    @Nullable
    Hold find(Owner owner) {
        Object present = holds;
        for (int i = 0; i < size(present); i++) {
            Hold hold = at(present, i);
            if (hold.owner.equals(owner)) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold that is alive. */
    @Nullable
    Hold alive(Owner owner) {
        Object present = holds;
        for (int i = 0; i < size(present); i++) {
            Hold hold = at(present, i);
            if (hold.owner.equals(owner) && hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** Any hold that is alive. */
    @Nullable
    Hold anyAlive() {
        Object present = holds;
        for (int i = 0; i < size(present); i++) {
            Hold hold = at(present, i);
            if (hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** The holds as they are now; not to be written. */
    Hold[] snapshot() {
        Object present = holds;
        return present instanceof Hold only ? new Hold[] {only} : present == null ? NONE : (Hold[]) present;
    }

    void add(Hold hold) {
        Hold[] before = snapshot();
        if (before.length == 0) {
            holds = hold;
            return;
        }
        Hold[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = hold;
        holds = after;
    }

    void remove(Hold hold) {
        if (holds == hold) {
            holds = null;
            return;
        }
        List<Hold> left = new ArrayList<>(List.of(snapshot()));
        if (left.remove(hold)) {
            holds = left.size() == 1 ? left.get(0) : left.toArray(NONE);
        }
    }

    void clear() {
        holds = null;
    }

    private static int size(@Nullable Object present) {
        return present instanceof Hold[] several ? several.length : present == null ? 0 : 1;
    }

    private static Hold at(@Nullable Object present, int index) {
        return present instanceof Hold[] several ? several[index] : (Hold) Objects.requireNonNull(present);
    }
}
