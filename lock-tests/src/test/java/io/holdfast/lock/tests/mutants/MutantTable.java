package io.holdfast.lock.tests.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as an aligned table: for a terminal, and as Markdown with what each mutant breaks. */
final class MutantTable {
    private static final List<String> SHORT = List.of("rule", "mutant", "killed by", "first seed", "seconds");
    private static final List<String> LONG =
            List.of("rule", "mutant", "what is broken", "killed by", "first seed", "seconds");
    private static final List<String> NUMBERS = List.of("rule", "first seed", "seconds");

    private MutantTable() {}

    static String forTerminal(List<Result> results) {
        List<List<String>> rows = new ArrayList<>(List.of(SHORT));
        for (Result result : results) {
            rows.add(List.of(
                    rule(result),
                    result.mutant().name(),
                    killer(result).replace("`", ""),
                    result.seed(),
                    seconds(result)));
        }
        return aligned(rows, "  ", "");
    }

    static String markdown(List<Result> results) {
        List<List<String>> rows = new ArrayList<>(List.of(LONG, List.of()));
        for (Result result : results) {
            Mutant mutant = result.mutant();
            rows.add(List.of(
                    rule(result),
                    "`" + mutant.name() + "`",
                    mutant.breaks(),
                    killer(result),
                    result.seed(),
                    seconds(result)));
        }
        return aligned(rows, " | ", "|");
    }

    private static String rule(Result result) {
        return Integer.toString(result.mutant().rule());
    }

    private static String killer(Result result) {
        String killer = result.mutant().killer().toString();
        return result.isKilled() ? killer : result.fate() + ": " + killer;
    }

    private static String seconds(Result result) {
        return String.format(Locale.ROOT, "%.1f", result.seconds());
    }

    private static String aligned(List<List<String>> rows, String between, String border) {
        List<String> head = rows.get(0);
        int[] widths = new int[head.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < widths.length; column++) {
                boolean number = NUMBERS.contains(head.get(column));
                cells.add(
                        row.isEmpty() ? rule(widths[column], number) : padded(row.get(column), widths[column], number));
            }
            String line = border.isEmpty()
                    ? String.join(between, cells).stripTrailing()
                    : border + " " + String.join(between, cells) + " " + border;
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private static String rule(int width, boolean number) {
        return number ? "-".repeat(width - 1) + ":" : "-".repeat(width);
    }

    private static String padded(String cell, int width, boolean number) {
        String space = " ".repeat(width - cell.length());
        return number ? space + cell : cell + space;
    }
}
