package io.holdfast.lock.engine.hold;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lost holds of threads that have not heard of their loss, in the order in which they were lost. Each leaves when its
 * owner was told; threads that never release make the oldest leave when there are too many.
 */
public final class UntoldLosses {

    public static final int MOST = 10_000;

    private final Set<Hold> holds = new LinkedHashSet<>();

    /**
     * Adds a hold.
     *
     * @return the oldest one, if it has to leave; null if there is room
     */
    public synchronized @Nullable Hold add(Hold hold) {
        holds.add(hold);
        if (holds.size() <= MOST) {
            return null;
        }
        Iterator<Hold> all = holds.iterator();
        Hold oldest = all.next();
        all.remove();
        return oldest;
    }

    public synchronized void remove(Hold hold) {
        holds.remove(hold);
    }

    public synchronized int size() {
        return holds.size();
    }
}
