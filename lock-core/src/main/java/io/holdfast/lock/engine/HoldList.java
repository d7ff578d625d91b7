package io.holdfast.lock.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds of one lock, hardly ever more than one. Steps of the cell write it; any thread may read it, hence the copying.
 */
final class HoldList {

    private static final Hold[] NONE = {};

    private volatile Hold[] holds = NONE;

    boolean isEmpty() {
        return holds.length == 0;
    }

    /** The owner's hold, whatever became of it. */
    @Nullable
    Hold find(Owner owner) {
        for (Hold hold : holds) {
            if (hold.owner.equals(owner)) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold that is alive. */
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

    /** The holds as they are now; not to be written. */
    Hold[] snapshot() {
        return holds;
    }

    void add(Hold hold) {
        Hold[] before = holds;
        Hold[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = hold;
        holds = after;
    }

    void remove(Hold hold) {
        Hold[] before = holds;
        for (int i = 0; i < before.length; i++) {
            if (before[i] == hold) {
                Hold[] after = before.length == 1 ? NONE : new Hold[before.length - 1];
                System.arraycopy(before, 0, after, 0, i);
                System.arraycopy(before, i + 1, after, i, after.length - i);
                holds = after;
                return;
            }
        }
    }

    void clear() {
        holds = NONE;
    }
}
