package io.holdfast.lock.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Members in the order of their scores; those of the same score in that of their bytes. */
final class SortedSet {

    private record Ranked(long score, String member) {}

    private final Map<String, Ranked> ranked = new HashMap<>();
    private final TreeSet<Ranked> order =
            new TreeSet<>(Comparator.comparingLong(Ranked::score).thenComparing(Ranked::member));

    boolean isEmpty() {
        return order.isEmpty();
    }

    int size() {
        return order.size();
    }

    @Nullable
    Long score(String member) {
        Ranked known = ranked.get(member);
        return known == null ? null : known.score;
    }

    void put(long score, String member) {
        remove(member);
        Ranked fresh = new Ranked(score, member);
        ranked.put(member, fresh);
        order.add(fresh);
    }

    boolean remove(String member) {
        Ranked known = ranked.remove(member);
        return known != null && order.remove(known);
    }

    /** Removes members up to a score; tells how many. */
    int removeUpTo(long score) {
        int removed = 0;
        while (!order.isEmpty() && order.first().score <= score) {
            remove(order.first().member);
            removed++;
        }
        return removed;
    }

    /** How many are before a member that is here. */
    int rank(String member) {
        return order.headSet(ranked.get(member)).size();
    }

    List<String> first(int most) {
        return order.stream().limit(most).map(Ranked::member).toList();
    }

    @Nullable
    String last() {
        return order.isEmpty() ? null : order.last().member;
    }
}
