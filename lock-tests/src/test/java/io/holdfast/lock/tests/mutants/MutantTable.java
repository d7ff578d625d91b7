package io.holdfast.lock.tests.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Mutants, or results, as an aligned table. */
final class MutantTable {
    private static final List<String> RESULTS = List.of("rule", "mutant", "killed by", "first seed", "seconds");
    private static final List<String> MUTANTS = List.of("rule", "mutant", "killed by", "first seed", "what is broken");
    private static final List<String> NUMBERS = List.of("rule", "first seed", "seconds");

    private MutantTable() {}

    static String of(List<Result> results) {
        List<List<String>> rows = new ArrayList<>(List.of(RESULTS));
        for (Result result : results) {
            String killer = killer(result.mutant());
            rows.add(List.of(
                    rule(result.mutant()),
                    result.mutant().name(),
                    result.isKilled() ? killer : result.fate() + ": " + killer,
                    result.seed(),
                    String.format(Locale.ROOT, "%.1f", result.seconds())));
        }
        return aligned(rows);
    }

    /** Those that were killed have a first seed by their name; it is empty for those that tests kill. */
    static String of(List<Mutant> mutants, Map<String, String> firstSeeds) {
        List<List<String>> rows = new ArrayList<>(List.of(MUTANTS));
        for (Mutant mutant : mutants) {
            rows.add(List.of(
                    rule(mutant),
                    mutant.name(),
                    killer(mutant),
                    firstSeeds.getOrDefault(mutant.name(), "not hunted"),
                    mutant.breaks()));
        }
        return aligned(rows);
    }

    private static String rule(Mutant mutant) {
        return Integer.toString(mutant.rule());
    }

    private static String killer(Mutant mutant) {
        return mutant.killer().toString().replace("`", "");
    }

    private static String aligned(List<List<String>> rows) {
        List<String> head = rows.get(0);
        int[] widths = new int[head.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                String space = " ".repeat(widths[column] - cell.length());
                cells.add(NUMBERS.contains(head.get(column)) ? space + cell : cell + space);
            }
            text.append(String.join("  ", cells).stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
