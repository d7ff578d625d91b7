package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs the fault matrix; see {@code lock-tests/chaos --help}. */
final class ChaosCommand extends Choices implements Callable<Integer> {

    private ChaosCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        return run(this) ? 0 : 1;
    }

    /** Returns whether no row failed. */
    static boolean run(Choices choices) throws IOException {
        Terminal terminal = new Terminal();
        List<RowResult> results = new ArrayList<>();
        long start = System.nanoTime();
        try (Conductor conductor = new Conductor(choices.manner())) {
            List<Row> rows = choices.rows();
            Manner manner = choices.manner();
            terminal.begin(rows.size() + " rows of the fault matrix, seed " + manner.seed()
                    + (manner.brief() ? ", short" : "")
                    + (manner.asking() ? ", the server is asked at each hand-over" : ""));
            for (Row row : rows) {
                Journal journal = new Journal();
                try (Terminal.Progress progress = terminal.progress(row, journal, results.size(), rows.size())) {
                    results.add(conductor.play(row, journal));
                }
                terminal.row(results.get(results.size() - 1));
            }
        }
        Run run = new Run(choices, results, (System.nanoTime() - start) / 1e9);
        Files.createDirectories(choices.out());
        Path report = choices.out().resolve("chaos-report.html");
        Files.writeString(report, new Report(run).html());
        terminal.end(run, report);
        if (choices.page()) {
            FaultPage.find(Path.of("")).update(run);
        }
        return results.stream().noneMatch(result -> result.verdict() == Verdict.FAILED);
    }
}
