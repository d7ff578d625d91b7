package io.holdfast.lock.benchmarks.console;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A table with aligned columns: the first to the left, the others to the right. */
public final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final List<UnaryOperator<String>> styles = new ArrayList<>();

    public Table(List<String> header) {
        row(header, UnaryOperator.identity());
    }

    public Table row(List<String> cells) {
        return row(cells, UnaryOperator.identity());
    }

    /** Adds a row that is styled as a whole once it is padded: colours must not count as width. */
    public Table row(List<String> cells, UnaryOperator<String> style) {
        if (!rows.isEmpty() && cells.size() != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "cells: " + cells.size() + " (expected: " + rows.get(0).size() + ", one per column)");
        }
        rows.add(List.copyOf(cells));
        styles.add(style);
        return this;
    }

    /** The lines: header, rule, rows. */
    public List<String> lines() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            lines.add(styles.get(row).apply(line(rows.get(row), widths)));
            if (row == 0) {
                lines.add(rule(widths));
            }
        }
        return lines;
    }

    private static String rule(int[] widths) {
        StringBuilder rule = new StringBuilder();
        for (int width : widths) {
            rule.append(rule.length() == 0 ? "" : GAP).append("-".repeat(width));
        }
        return rule.toString();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String text = row.get(column);
            String blanks = " ".repeat(widths[column] - text.length());
            line.append(column == 0 ? text + blanks : GAP + blanks + text);
        }
        return line.toString().stripTrailing();
    }
}
