package io.holdfast.lock.memory.script;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** The members of a sorted set, in the order of their scores; those of the same score in that of their bytes. */
final class Ranking {

    private record Ranked(double score, LuaString member) {}

    private static final LuaString FIRST = LuaString.valueOf("");

    private final Map<LuaString, Ranked> ranked = new HashMap<>();
    private final NavigableSet<Ranked> order =
            new TreeSet<>(Comparator.comparingDouble(Ranked::score).thenComparing(Ranked::member, Ranking::compare));

    private static int compare(LuaString one, LuaString other) {
        return Arrays.compareUnsigned(
                one.m_bytes,
                one.m_offset,
                one.m_offset + one.m_length,
                other.m_bytes,
                other.m_offset,
                other.m_offset + other.m_length);
    }

    Ranking copy() {
        Ranking copy = new Ranking();
        copy.ranked.putAll(ranked);
        copy.order.addAll(order);
        return copy;
    }

    int size() {
        return order.size();
    }

    @Nullable
    Double score(LuaString member) {
        Ranked known = ranked.get(member);
        return known == null ? null : (Double) known.score;
    }

    /** The place of a member, from 0; negative without it. */
    int rank(LuaString member) {
        Ranked known = ranked.get(member);
        return known == null ? -1 : order.headSet(known).size();
    }

    void put(double score, LuaString member) {
        remove(member);
        Ranked fresh = new Ranked(score, member);
        ranked.put(member, fresh);
        order.add(fresh);
    }

    boolean remove(LuaString member) {
        Ranked known = ranked.remove(member);
        return known != null && order.remove(known);
    }

    /** From one place to another, both among them. */
    List<LuaString> members(int first, int last) {
        boolean isLast = first == size() - 1 && first == last;
        List<LuaString> members = new ArrayList<>();
        Iterator<Ranked> rest = isLast ? order.descendingIterator() : order.iterator();
        for (int i = isLast ? last : 0; i <= last; i++) {
            LuaString member = rest.next().member;
            if (i >= first) {
                members.add(member);
            }
        }
        return members;
    }

    /** Those between two scores, both among them. */
    Stream<LuaString> scored(double least, double most) {
        return order.tailSet(new Ranked(least, FIRST)).stream()
                .takeWhile(each -> each.score <= most)
                .map(Ranked::member);
    }
}
