package io.holdfast.lock.tests.figures;

import java.util.ArrayList;
import java.util.List;

/** A table of figures with aligned columns. */
public final class FigureTable {

    private static final String[] HEADINGS = {"figure", "Holdfast", "bound", "Redisson 4.7.0"};

    private final List<String[]> rows = new ArrayList<>();

    /** Adds a row. */
    public void add(String figure, String holdfast, String bound, String redisson) {
        rows.add(new String[] {figure, holdfast, bound, redisson});
    }

    @Override
    public String toString() {
        int[] widths = new int[HEADINGS.length];
        measure(HEADINGS, widths);
        rows.forEach(row -> measure(row, widths));
        StringBuilder table = new StringBuilder();
        append(HEADINGS, widths, table);
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
