package io.holdfast.lock.engine.hold;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a hold, the oldest first: whether the watchdog renews each, which MultiLock took it, and whether its owner
 * was given it. Belongs to the cell's steps.
 */
final class Levels {

    private static final Level WATCHED = new Level(true, null, true);
    private static final Level FIXED = new Level(false, null, true);

    private final List<Level> all = new ArrayList<>(2);
    private int watched;

    /**
     * @param taker the MultiLock that took it; null if its owner took this lock by itself
     * @param given false while that MultiLock is still being collected
     */
    private record Level(boolean watched, @Nullable Object taker, boolean given) {}

    void push(boolean watched, @Nullable Object taker) {
        if (taker == null) {
            add(watched ? WATCHED : FIXED);
        } else {
            add(new Level(watched, taker, false));
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

    /** Whether any level with a fixed lease was given to its owner. */
    boolean anyFixedAndGiven() {
        for (Level level : all) {
            if (level.given() && !level.watched()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the watchdog renews one, counted from the oldest. */
    boolean isWatched(int level) {
        return all.get(level).watched();
    }

    /** Whether a MultiLock took any. */
    boolean anyTaken() {
        return all.stream().anyMatch(level -> level.taker() != null);
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

    /** The newest watched one that a MultiLock took and has not given has a fixed lease from now on. */
    void unwatch(Object taker) {
        int index = all.lastIndexOf(new Level(true, taker, false));
        if (index >= 0) {
            all.set(index, new Level(false, taker, false));
            watched--;
        }
    }

    /** A MultiLock gives its owner a level that it took: one with a fixed lease, or a watched one. */
    void give(boolean watched, Object taker) {
        int index = all.lastIndexOf(new Level(watched, taker, false));
        if (index >= 0) {
            all.set(index, new Level(watched, taker, true));
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
