package io.holdfast.lock.tests.mutants;

import java.util.ArrayList;
import java.util.List;

/**
 * One change of a unified diff: the lines that must be there, and those that take their place.
 *
 * @param line where the old lines begin, counted from 1
 */
record Hunk(int line, List<String> before, List<String> after) {

    /**
     * Applies the change. The old lines must be there to the letter; only their place may have moved, and then there must
     * be no doubt about it.
     *
     * @param moved by how many lines earlier changes have moved the text
     * @return where the new lines begin, counted from 0
     */
    int apply(List<String> text, int moved) throws PatchRefused {
        int stated = line - 1 + moved;
        int place = isAt(text, stated) ? stated : onlyPlace(text, stated);
        List<String> changed = text.subList(place, place + before.size());
        changed.clear();
        changed.addAll(after);
        return place;
    }

    private int onlyPlace(List<String> text, int stated) throws PatchRefused {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place + before.size() <= text.size(); place++) {
            if (isAt(text, place)) {
                places.add(place);
            }
        }
        if (places.size() == 1) {
            return places.get(0);
        }
        if (places.isEmpty()) {
            throw new PatchRefused("the lines at " + line + " are not there" + firstDifference(text, stated));
        }
        List<Integer> lines = places.stream().map(place -> place + 1).toList();
        throw new PatchRefused(
                "the lines at " + line + " have moved, and there are several like them: " + lines + " (expected: one)");
    }

    private boolean isAt(List<String> text, int place) {
        return place >= 0
                && place + before.size() <= text.size()
                && text.subList(place, place + before.size()).equals(before);
    }

    private String firstDifference(List<String> text, int stated) {
        for (int i = 0; i < before.size(); i++) {
            int at = stated + i;
            String found = at >= 0 && at < text.size() ? text.get(at) : "(no such line)";
            if (!found.equals(before.get(i))) {
                return ":\n  line " + (at + 1) + ": " + found + "\n  expected:"
                        + " ".repeat(("" + (at + 1)).length() - 1) + before.get(i);
            }
        }
        return "";
    }
}
