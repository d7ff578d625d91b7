package io.holdfast.lock.examples.console;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A table with aligned columns: the first one to the left, the others to the right. */
public final class Table {

    private static final String GAP = "  ";

    private final List<String> header;
    private final List<List<Cell>> rows = new ArrayList<>();

    public Table(String... header) {
        this.header = List.of(header);
    }

    /** Adds a row of texts or {@link Cell}s. */
    public Table row(Object... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException(
                    "cells: " + cells.length + " (expected: " + header.size() + ", one per column)");
        }
        List<Cell> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell instanceof Cell styled ? styled : new Cell(String.valueOf(cell), UnaryOperator.identity()));
        }
        rows.add(row);
        return this;
    }

    /** The lines of the table: header, rule, rows. */
    public String[] lines() {
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        StringBuilder headerLine = new StringBuilder();
        StringBuilder rule = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            headerLine.append(gap(column)).append(padded(column, header.get(column), widths[column]));
            rule.append(gap(column)).append("-".repeat(widths[column]));
        }
        lines.add(headerLine.toString().stripTrailing());
        lines.add(rule.toString());
        for (List<Cell> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                Cell cell = row.get(column);
                line.append(gap(column)).append(cell.style.apply(padded(column, cell.text, widths[column])));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines.toArray(String[]::new);
    }

    private int[] widths() {
        int[] widths = new int[header.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = header.get(column).length();
            for (List<Cell> row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).text.length());
            }
        }
        return widths;
    }

    private static String gap(int column) {
        return column == 0 ? "" : GAP;
    }

    private static String padded(int column, String text, int width) {
        String blanks = " ".repeat(width - text.length());
        return column == 0 ? text + blanks : blanks + text;
    }

    /** A cell whose padded text is styled: colours must not count as width. */
    public record Cell(String text, UnaryOperator<String> style) {}
}
