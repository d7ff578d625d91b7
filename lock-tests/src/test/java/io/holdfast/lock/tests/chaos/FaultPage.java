package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The page about faults. Its rows are the fault matrix: what happens, how it is caused, what must hold, which tests show
 * that, and what became of it when it was played last. The command takes the words from here, and writes the last column.
 */
public record FaultPage(Path file) {
    private static final String NAME = "docs/builders/faults.md";
    private static final String SUMMARY = "The last run, of ";
    private static final int CELLS = 6;

    /** A row of the page, as it is written there; it may be one that only tests play. */
    public record Line(String name, String fault, String cause, String must, String tests, String lastRun) {

        private static Line read(String text) {
            String[] cells = text.substring(1).split("(?<!\\\\)\\|", -1);
            if (cells.length != CELLS + 1) {
                throw new IllegalStateException(NAME + ": " + text + " (expected: " + CELLS + " cells)");
            }
            List<String> words = Arrays.stream(cells).map(String::strip).toList();
            return new Line(words.get(0), words.get(1), words.get(2), words.get(3), words.get(4), words.get(5));
        }

        private Line after(RowResult result) {
            String run = String.format(
                    Locale.ROOT,
                    "%s, %.0f s, %,d grants, %,d losses told",
                    result.verdict(),
                    result.seconds(),
                    result.grants(),
                    result.lossesTold());
            return new Line(name, fault, cause, must, tests, run);
        }

        private String text() {
            return "| " + String.join(" | ", name, fault, cause, must, tests, lastRun) + " |";
        }
    }

    /** The page of the project that a directory is in. */
    public static FaultPage find(Path inside) {
        Path directory = inside.toAbsolutePath();
        while (!Files.exists(directory.resolve(NAME))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside the project: " + inside.toAbsolutePath());
            }
        }
        return new FaultPage(directory.resolve(NAME));
    }

    /** The rows, in the order of the page. */
    public List<Line> lines() {
        return text().lines().filter(FaultPage::isRow).map(Line::read).toList();
    }

    /** What a row is about. */
    Line line(String name) {
        return lines().stream()
                .filter(line -> line.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(NAME + ": no row " + name));
    }

    /** Writes down what became of the rows that were played. */
    void update(Run run) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String text : text().lines().toList()) {
            if (isRow(text)) {
                Line line = Line.read(text);
                lines.add(run.results().stream()
                        .filter(result -> result.row().name().equals(line.name))
                        .findFirst()
                        .map(line::after)
                        .orElse(line)
                        .text());
            } else {
                lines.add(text.startsWith(SUMMARY) ? SUMMARY + summary(run) : text);
            }
        }
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private static boolean isRow(String text) {
        return text.matches("\\| \\d+[a-z]? \\|.*");
    }

    private static String summary(Run run) {
        return String.format(
                Locale.ROOT,
                "%s: %d passed, %d failed, %d skipped in %.0f minutes, %,d grants, %,d losses told; seed %d.",
                rows(run),
                run.count(Verdict.PASSED),
                run.count(Verdict.FAILED),
                run.count(Verdict.SKIPPED),
                run.seconds() / 60,
                run.grants(),
                run.lossesTold(),
                run.choices().manner().seed());
    }

    /** Which rows were played: the lines of the others are of earlier runs. */
    private static String rows(Run run) {
        List<String> names =
                run.results().stream().map(result -> result.row().name()).toList();
        if (names.size() == Matrix.rows().size()) {
            return "all rows";
        }
        return (names.size() == 1 ? "row " : "rows ") + String.join(", ", names);
    }

    private String text() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
