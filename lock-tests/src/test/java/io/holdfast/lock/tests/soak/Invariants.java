package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.evidence.Turns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for the claims of all JVMs, looked at as they come in: they are {@link Turns} that do not overlap and whose
 * tokens increase; and the counter increases with the tokens of those who wrote it, and at the end it is as high as there
 * were writes: none was overwritten by an owner that had not read it. Safe for use by many threads.
 */
final class Invariants implements Turns.Judge<Claim> {

    private static final int MOST_VIOLATIONS_KEPT = 100;

    private final long memoryNanos;
    private final Turns<Claim> turns;
    private final Map<String, History> histories = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private int violationCount;

    /** What is known of one lock. */
    private static final class History {
        final TreeMap<Long, Claim> writesByToken = new TreeMap<>();
        long writes;
        long doubtfulWrites;
    }

    /** @param memoryNanos how late a claim may come in at most */
    Invariants(long memoryNanos) {
        this.memoryNanos = memoryNanos;
        this.turns = new Turns<>(memoryNanos, this);
    }

    synchronized void accept(Claim claim) {
        History history = histories.computeIfAbsent(claim.lock(), lock -> new History());
        if (claim.wasValid()) {
            turns.accept(claim);
        }
        if (claim.maybeWritten()) {
            history.doubtfulWrites++;
        }
        if (claim.written() > 0) {
            history.writes++;
            acceptWrite(claim, history.writesByToken);
        }
    }

    @Override
    public void overlap(Claim earlier, Claim later) {
        violation("two valid holders", earlier, later);
    }

    @Override
    public void tokenDoesNotIncrease(Claim earlier, Claim later) {
        violation("a token that does not increase", earlier, later);
    }

    private void acceptWrite(Claim claim, TreeMap<Long, Claim> writes) {
        Claim same = writes.get(claim.token());
        if (same != null) {
            violation("two holders with one token", same, claim);
            return;
        }
        compareWrites(below(writes, claim.token()), claim);
        compareWrites(claim, above(writes, claim.token()));
        writes.put(claim.token(), claim);
        // Tokens are microseconds.
        forget(writes, claim.token() - memoryNanos / 1_000);
    }

    private void compareWrites(@Nullable Claim older, @Nullable Claim newer) {
        if (older != null && newer != null && older.written() >= newer.written()) {
            violation("a lost update", older, newer);
        }
    }

    private static @Nullable Claim below(TreeMap<Long, Claim> claims, long key) {
        Map.Entry<Long, Claim> entry = claims.lowerEntry(key);
        return entry == null ? null : entry.getValue();
    }

    private static @Nullable Claim above(TreeMap<Long, Claim> claims, long key) {
        Map.Entry<Long, Claim> entry = claims.higherEntry(key);
        return entry == null ? null : entry.getValue();
    }

    /** Drops what is older, but for the newest of it. */
    private static void forget(TreeMap<Long, Claim> claims, long before) {
        Long newest = claims.lowerKey(before);
        if (newest != null) {
            claims.headMap(newest).clear();
        }
    }

    /** Compares the counter of a lock, read at the very end, with the number of writes to it. */
    synchronized void acceptFinalCount(String lock, long count) {
        History history = histories.computeIfAbsent(lock, unknown -> new History());
        if (count < history.writes || count > history.writes + history.doubtfulWrites) {
            violation("lock " + lock + ": its counter is " + count + " after " + history.writes + " writes and "
                    + history.doubtfulWrites + " that may have been applied");
        }
    }

    /** Notes anything else that must not happen. */
    synchronized void violation(String text) {
        violationCount++;
        if (violations.size() < MOST_VIOLATIONS_KEPT) {
            violations.add(text);
        }
    }

    private void violation(String what, Claim one, Claim other) {
        violation("lock " + one.lock() + ": " + what + ": " + show(one) + " and " + show(other));
    }

    private static String show(Claim claim) {
        return String.format(
                "%s from %,d to %,d us, token %d, wrote %d",
                claim.owner(), claim.firstNanos() / 1_000, claim.lastNanos() / 1_000, claim.token(), claim.written());
    }

    /** The names of the locks of which anything was heard. */
    synchronized List<String> locks() {
        return histories.keySet().stream().sorted(Comparator.naturalOrder()).toList();
    }

    synchronized int violationCount() {
        return violationCount;
    }

    /** The first of the violations, in words. */
    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
