package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;

/** The findings as a table: aligned in a terminal, and as Markdown, which is the same with bars. */
final class FindingTable {
    static final List<String> HEAD = List.of("model", "bounds", "rule left out", "no.", "verdict", "states", "steps");

    private static final int[] WIDTHS = {14, 15, 22, 3, 24, 9, 5};

    /** From this column on, numbers: aligned to the right. */
    private static final int FIRST_NUMBER = 5;

    private FindingTable() {}

    static String line(List<String> cells) {
        return joined(cells, "  ").stripTrailing();
    }

    static String markdown(List<Finding> findings) {
        StringBuilder text = new StringBuilder(bars(HEAD));
        List<String> rule = new ArrayList<>();
        for (int column = 0; column < WIDTHS.length; column++) {
            rule.add(column < FIRST_NUMBER ? "-".repeat(WIDTHS[column]) : "-".repeat(WIDTHS[column] - 1) + ":");
        }
        text.append(bars(rule));
        findings.forEach(finding -> text.append(bars(finding.row())));
        return text.toString();
    }

    private static String bars(List<String> cells) {
        return "| " + joined(cells, " | ") + " |\n";
    }

    private static String joined(List<String> cells, String between) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String side = column < FIRST_NUMBER ? "-" : "";
            text.append(column == 0 ? "" : between)
                    .append(String.format("%" + side + WIDTHS[column] + "s", cells.get(column)));
        }
        return text.toString();
    }
}
