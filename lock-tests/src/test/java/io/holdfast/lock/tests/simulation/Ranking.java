package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** The members of a sorted set, in the order of their scores; those of the same score in that of their bytes. */
final class Ranking {

    private record Ranked(double score, LuaString member) {}

    private static final Comparator<Ranked> ORDER =
            Comparator.comparingDouble(Ranked::score).thenComparing(ranked -> ranked.member.tojstring());

    private final List<Ranked> order = new ArrayList<>();

    Ranking copy() {
        Ranking copy = new Ranking();
        copy.order.addAll(order);
        return copy;
    }

    int size() {
        return order.size();
    }

    /** The place of a member, from 0; negative without it. */
    int rank(LuaString member) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).member.raweq(member)) {
                return i;
            }
        }
        return -1;
    }

    @Nullable
    Double score(LuaString member) {
        int rank = rank(member);
        return rank < 0 ? null : (Double) order.get(rank).score;
    }

    double scoreAt(int rank) {
        return order.get(rank).score;
    }

    LuaString memberAt(int rank) {
        return order.get(rank).member;
    }

    void put(double score, LuaString member) {
        remove(member);
        order.add(new Ranked(score, member));
        order.sort(ORDER);
    }

    boolean remove(LuaString member) {
        int rank = rank(member);
        if (rank >= 0) {
            order.remove(rank);
        }
        return rank >= 0;
    }

    List<LuaString> members() {
        return order.stream().map(Ranked::member).toList();
    }
}
