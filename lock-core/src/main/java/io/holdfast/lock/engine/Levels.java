package io.holdfast.lock.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a hold, the oldest first: whether the watchdog renews each, and which MultiLock took it. Belongs to the
 * cell's steps.
 */
final class Levels {

    private static final Level WATCHED = new Level(true, null);
    private static final Level FIXED = new Level(false, null);

    private final List<Level> all = new ArrayList<>(2);
    private int watched;

    /** @param taker the MultiLock that took it; null if its owner took this lock by itself */
    private record Level(boolean watched, @Nullable Object taker) {}

    void push(boolean watched, @Nullable Object taker) {
        if (taker == null) {
            add(watched ? WATCHED : FIXED);
        } else {
            add(new Level(watched, taker));
        }
    }

    /** Drops the newest. */
    void pop() {
        remove(all.size() - 1);
    }

    int size() {
        return all.size();
    }

    boolean anyWatched() {
        return watched > 0;
    }

    /** Whether any has a fixed lease, but for the newest that a MultiLock took. */
    boolean hasFixedBut(@Nullable Object taker) {
        int left = taker == null ? -1 : newestOf(taker);
        for (int i = 0; i < all.size(); i++) {
            if (i != left && !all.get(i).watched()) {
                return true;
            }
        }
        return false;
    }

    boolean hasOneOf(Object taker) {
        return newestOf(taker) >= 0;
    }

    /** The newest that a MultiLock took becomes the newest of all; false if there is none. */
    boolean raise(Object taker) {
        int index = newestOf(taker);
        if (index >= 0) {
            add(remove(index));
        }
        return index >= 0;
    }

    /** The newest that a MultiLock took has a fixed lease from now on. */
    void unwatch(Object taker) {
        int index = newestOf(taker);
        if (index >= 0) {
            Level before = all.set(index, new Level(false, taker));
            watched -= before.watched() ? 1 : 0;
        }
    }

    private void add(Level level) {
        all.add(level);
        watched += level.watched() ? 1 : 0;
    }

    private Level remove(int index) {
        Level level = all.remove(index);
        watched -= level.watched() ? 1 : 0;
        return level;
    }

    private int newestOf(Object taker) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (taker.equals(all.get(i).taker())) {
                return i;
            }
        }
        return -1;
    }
}
