package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The page about the fault matrix; its table is that of the last full run. */
record ChaosPage(Path file) {
    private static final String BEGIN = "<!-- table: lock-tests/chaos --page -->\n";
    private static final String END = "<!-- end of table -->";

    /** The page of the project that a directory is in. */
    static ChaosPage find(Path inside) {
        Path directory = inside.toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/chaos.md"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside the project: " + inside.toAbsolutePath());
            }
        }
        return new ChaosPage(directory.resolve("docs/chaos.md"));
    }

    void update(Run run) throws IOException {
        String text = Files.readString(file);
        String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String after = text.substring(text.indexOf(END));
        Files.writeString(file, before + table(run) + after);
    }

    /** The rows that the table shows. */
    List<String> rows() throws IOException {
        String text = Files.readString(file);
        return text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END))
                .lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.split("\\|")[1].strip())
                .skip(1)
                .toList();
    }

    static String table(Run run) {
        StringBuilder table = new StringBuilder();
        table.append("| row | fault | must hold | seconds | grants | losses told | verdict | observed |\n");
        table.append("|-----|-------|-----------|--------:|-------:|------------:|---------|----------|\n");
        for (RowResult result : run.results()) {
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.0f | %,d | %,d | %s | %s |%n",
                    result.row().name(),
                    result.row().fault(),
                    result.row().must(),
                    result.seconds(),
                    result.grants(),
                    result.lossesTold(),
                    result.verdict(),
                    first(Tally.of(result.observed()))));
        }
        table.append(String.format(
                Locale.ROOT,
                "%n%d passed, %d failed, %d skipped in %.0f minutes, %,d grants, %,d losses told; seed %d.%n",
                run.count(Verdict.PASSED),
                run.count(Verdict.FAILED),
                run.count(Verdict.SKIPPED),
                run.seconds() / 60,
                run.grants(),
                run.lossesTold(),
                run.choices().seed()));
        return table.toString();
    }

    private static String first(List<String> observed) {
        return observed.isEmpty() ? "" : observed.get(0).replace("|", "\\|");
    }
}
