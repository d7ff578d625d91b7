package io.holdfast.lock.tests.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes one sentence of many that differ in their figures only. */
final class Tally {

    private Tally() {}

    static List<String> of(List<String> lines) {
        Map<String, List<String>> alike = new LinkedHashMap<>();
        for (String line : lines) {
            alike.computeIfAbsent(pattern(line), same -> new ArrayList<>()).add(line);
        }
        return alike.values().stream().map(Tally::sentence).toList();
    }

    /** What a sentence says but for its figures. */
    static String pattern(String line) {
        return line.replaceAll("\\d[\\d,.]*", "#");
    }

    private static String sentence(List<String> same) {
        String first = same.get(0);
        String last = same.get(same.size() - 1);
        if (same.size() == 1) {
            return first;
        }
        return same.size() + " times: " + first + (first.equals(last) ? "" : " ... " + last);
    }
}
