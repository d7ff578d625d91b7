package io.holdfast.lock.tests.models;

import java.util.List;

/** The findings as an aligned table. */
final class FindingTable {
    static final List<String> HEAD = List.of("model", "bounds", "rule left out", "no.", "verdict", "states", "steps");

    private static final int[] WIDTHS = {14, 15, 22, 3, 24, 9, 5};

    /** From this column on, numbers: aligned to the right. */
    private static final int FIRST_NUMBER = 5;

    private FindingTable() {}

    static String line(List<String> cells) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < WIDTHS.length; column++) {
            String side = column < FIRST_NUMBER ? "-" : "";
            text.append(column == 0 ? "" : "  ")
                    .append(String.format("%" + side + WIDTHS[column] + "s", cells.get(column)));
        }
        return text.toString().stripTrailing();
    }
}
