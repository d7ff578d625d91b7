package io.holdfast.lock.tests.figures;

import java.util.ArrayList;
import java.util.List;

/** A table of figures with aligned columns. */
public final class FigureTable {

    private final String[] headings;
    private final List<String[]> rows = new ArrayList<>();

    /** A table that compares with the peer. */
    public FigureTable() {
        this("figure", "Holdfast", "bound", "Redisson 4.7.0");
    }

    /** A table with columns of its own. */
    public FigureTable(String... headings) {
        this.headings = headings;
    }

    /** Adds a row to a table that compares with the peer. */
    public void add(String figure, String holdfast, String bound, String redisson) {
        row(figure, holdfast, bound, redisson);
    }

    /** Adds a row. */
    public void row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(
                    "cells: " + cells.length + " (expected: " + headings.length + ", one per column)");
        }
        rows.add(cells);
    }

    @Override
    public String toString() {
        int[] widths = new int[headings.length];
        measure(headings, widths);
        rows.forEach(row -> measure(row, widths));
        StringBuilder table = new StringBuilder();
        append(headings, widths, table);
        table.append("|");
        for (int width : widths) {
            table.append("-".repeat(width + 2)).append('|');
        }
        table.append('\n');
        rows.forEach(row -> append(row, widths, table));
        return table.toString();
    }

    private static void measure(String[] row, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row[i].length());
        }
    }

    private static void append(String[] row, int[] widths, StringBuilder table) {
        table.append("|");
        for (int i = 0; i < widths.length; i++) {
            table.append(' ')
                    .append(row[i])
                    .append(" ".repeat(widths[i] - row[i].length()))
                    .append(" |");
        }
        table.append('\n');
    }
}
