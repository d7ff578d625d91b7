package io.holdfast.lock.tests.chaos;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What the command was asked for.
 *
 * @param manner how its rows are played
 * @param page whether what became of the rows is written into the documentation
 */
record Choices(List<Row> rows, Manner manner, Path out, boolean page, boolean help) {

    static final String HELP =
            """
            usage: lock-tests/chaos [--short] [--only ROWS] [--asking] [--seed N] [--out DIR] [--page]

              without arguments  every row of the fault matrix, in about ten minutes
              --short            the most telling rows, with fewer rounds, in less than five minutes
              --only 4,5,37      these rows; 45 stands for 45a to 45e
              --asking           clients ask the server at each hand-over: ClientOptions.localHandOver(false)
              --seed N           what is random follows from it; without, from the time
              --out DIR          where chaos-report.html goes; without, lock-tests/target
              --page             write what became of the rows into docs/builders/faults.md

            The exit code is 0 if no row failed, 1 if one did, 2 for a mistake in the arguments. A row that this machine
            cannot play is skipped, and says why.
            """;

    static Choices parse(String... arguments) {
        boolean brief = false;
        boolean asking = false;
        boolean page = false;
        boolean help = false;
        long seed = System.nanoTime() & 0xffff_ffffL;
        Path out = Path.of("lock-tests/target");
        List<Row> rows = null;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--short" -> brief = true;
                case "--asking" -> asking = true;
                case "--page" -> page = true;
                case "--help", "-h" -> help = true;
                case "--seed" -> seed = number(value(arguments, i++));
                case "--out" -> out = Path.of(value(arguments, i++));
                case "--only" -> rows = only(value(arguments, i++));
                default -> throw new IllegalArgumentException(arguments[i] + ": unknown (try --help)");
            }
        }
        boolean shortened = brief;
        if (rows == null) {
            rows = Matrix.rows().stream()
                    .filter(row -> !shortened || row.is(Row.Trait.SHORT))
                    .toList();
        }
        return new Choices(rows, new Manner(seed, brief, asking), out, page, help);
    }

    private static String value(String[] arguments, int at) {
        if (at + 1 == arguments.length) {
            throw new IllegalArgumentException(arguments[at] + ": a value is missing");
        }
        return arguments[at + 1];
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--seed " + text + " (expected: a number)", e);
        }
    }

    private static List<Row> only(String names) {
        List<String> wanted = Arrays.asList(names.split(","));
        for (String name : wanted) {
            if (Matrix.rows().stream().noneMatch(row -> isMeant(row, name))) {
                throw new IllegalArgumentException("--only " + name + ": no such row (expected some of "
                        + String.join(
                                ", ", Matrix.rows().stream().map(Row::name).toList()) + ")");
            }
        }
        return Matrix.rows().stream()
                .filter(row -> wanted.stream().anyMatch(name -> isMeant(row, name)))
                .toList();
    }

    private static boolean isMeant(Row row, String name) {
        return row.name().equals(name) || Integer.toString(row.number()).equals(name);
    }
}
