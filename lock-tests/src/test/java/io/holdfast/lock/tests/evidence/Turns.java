package io.holdfast.lock.tests.evidence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The turns of all owners at their locks, each by its owner's own account: none may overlap another of the same lock, and
 * tokens increase from turn to turn, also across losses.
 *
 * <p>A turn comes in when it is over, so those of different JVMs come out of order, and late if a JVM was stopped. For a
 * while all are kept and a newcomer is compared with those that it overlaps and with its neighbours; later only the newest
 * of the old ones stays.
 */
public final class Turns<T extends Turns.Turn> {

    /** A time during which an owner was sure to hold a lock. Times are of one monotonic clock. */
    public interface Turn {

        String lock();

        /** The first moment at which it held the lock. */
        long fromNanos();

        /** The first moment at which it held the lock no more; the same as the first for one that saw itself hold it only then. */
        long toNanos();

        /** Its token; 0 if it did not ask for it. */
        long token();
    }

    /** What becomes of two turns that should not be, the one that began earlier first. */
    public interface Judge<T> {

        void overlap(T earlier, T later);

        void tokenDoesNotIncrease(T earlier, T later);
    }

    private final long memoryNanos;
    private final Judge<? super T> judge;
    private final Map<String, List<T>> byLock = new HashMap<>();
    private long longestNanos;

    /** @param memoryNanos how late a turn may come in at most */
    public Turns(long memoryNanos, Judge<? super T> judge) {
        this.memoryNanos = memoryNanos;
        this.judge = judge;
    }

    /** One more turn. */
    public void accept(T turn) {
        List<T> known = byLock.computeIfAbsent(turn.lock(), lock -> new ArrayList<>());
        int place = known.size();
        while (place > 0 && known.get(place - 1).fromNanos() > turn.fromNanos()) {
            place--;
        }
        for (int i = place - 1; i >= 0 && known.get(i).fromNanos() + longestNanos > turn.fromNanos(); i--) {
            if (known.get(i).toNanos() > turn.fromNanos()) {
                judge.overlap(known.get(i), turn);
            }
        }
        for (int i = place; i < known.size() && known.get(i).fromNanos() < turn.toNanos(); i++) {
            judge.overlap(turn, known.get(i));
        }
        if (place > 0) {
            compareTokens(known.get(place - 1), turn);
        }
        if (place < known.size()) {
            compareTokens(turn, known.get(place));
        }
        known.add(place, turn);
        longestNanos = Math.max(longestNanos, turn.toNanos() - turn.fromNanos());
        forget(known, turn.fromNanos() - memoryNanos);
    }

    private void compareTokens(T earlier, T later) {
        if (earlier.token() >= later.token() && earlier.token() != 0 && later.token() != 0) {
            judge.tokenDoesNotIncrease(earlier, later);
        }
    }

    /** Drops what began earlier, but for the newest of it. */
    private void forget(List<T> known, long beforeNanos) {
        int old = 0;
        while (old + 1 < known.size() && known.get(old + 1).fromNanos() < beforeNanos) {
            old++;
        }
        known.subList(0, old).clear();
    }
}
