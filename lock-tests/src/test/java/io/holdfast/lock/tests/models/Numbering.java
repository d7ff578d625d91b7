package io.holdfast.lock.tests.models;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the parts of states, which are few: an identity of numbers is small, and ignores the order of equals. */
final class Numbering {
    private final Map<Object, Integer> numbers = new HashMap<>();

    /** The same for states whose nodes are the same in another order. */
    Object identity(List<?> nodes, Object rest) {
        int[] sorted = new int[nodes.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = number(nodes.get(i));
        }
        Arrays.sort(sorted);
        return sorted.length == 3
                ? new Identity(sorted[0], sorted[1], sorted[2], number(rest))
                : List.of(number(Arrays.stream(sorted).boxed().toList()), number(rest));
    }

    /** The same for equal states only. */
    Object identity(Object first, Object second, Object third, Object rest) {
        return new Identity(number(first), number(second), number(third), number(rest));
    }

    private int number(Object part) {
        return numbers.computeIfAbsent(part, key -> numbers.size());
    }

    private record Identity(int first, int second, int third, int rest) {
        /** Numbers are small and near each other; the hash code of a record would put many of them together. */
        @Override
        public int hashCode() {
            long mixed = first;
            mixed = mixed * 0x9E3779B97F4A7C15L + second;
            mixed = mixed * 0x9E3779B97F4A7C15L + third;
            mixed = mixed * 0x9E3779B97F4A7C15L + rest;
            return (int) (mixed >>> 32);
        }
    }
}
