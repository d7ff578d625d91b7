package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes docs/report.md anew; see {@code lock-tests/report --help}. */
@Command(
        name = "lock-tests/report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header =
                "Plays loads under faults, beside Redisson's, and writes what was found as a page: about twenty minutes.",
        footer = {
            "",
            "The exit code is 0 if Holdfast kept its promises, 1 if not, 2 for a mistake in the arguments. Each call and answer is "
                    + "written into lock-tests/target/report, a file for each setup and a line for each event."
        })
final class ReportCommand implements Callable<Integer> {

    private static final Path HISTORIES = Path.of("lock-tests/target/report");

    /** Servers start, and what is left over is waited for. */
    private static final Duration AROUND = Duration.ofSeconds(18);

    @Option(names = "--short", description = "three or four minutes, in lock-tests/target/report.md")
    private boolean brief;

    @Option(names = "--minutes", description = "how long; without, ${DEFAULT-VALUE}")
    private int minutes = 20;

    @Option(names = "--only", description = "the setups whose names begin with this")
    private String only = "";

    @Option(names = "--seed", description = "what is random follows from it; without, from the time")
    private long seed = System.nanoTime() & 0xffff_ffffL;

    @Option(names = "--out", description = "where the page goes; without, docs/report.md")
    private @Nullable Path out;

    private ReportCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ReportCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        List<Trial> trials = Trial.all().stream()
                .filter(trial -> trial.name().startsWith(only))
                .toList();
        if (trials.isEmpty()) {
            throw new CommandLine.ParameterException(
                    new CommandLine(this),
                    only + ": no such setup (expected the beginning of one of "
                            + Trial.all().stream().map(Trial::name).toList() + ")");
        }
        Duration each = brief
                ? Duration.ofSeconds(5)
                : least(Duration.ofMinutes(minutes).dividedBy(trials.size()));
        List<ReportPage.Played> played = play(trials, each);
        boolean partial = brief || !only.isEmpty();
        Path page = out != null ? out : Path.of(partial ? "lock-tests/target/report.md" : "docs/report.md");
        Files.writeString(page, ReportPage.of(played, seed, command()));
        System.out.println(page);
        return played.stream().noneMatch(ReportPage.Played::isBroken) ? 0 : 1;
    }

    /** How long the faults of one setup go on. */
    private static Duration least(Duration share) {
        Duration left = share.minus(AROUND);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private String command() {
        return "lock-tests/report" + (brief ? " --short" : minutes == 20 ? "" : " --minutes " + minutes)
                + (only.isEmpty() ? "" : " --only '" + only + "'") + " --seed " + seed;
    }

    private List<ReportPage.Played> play(List<Trial> trials, Duration each) throws IOException {
        Terminal terminal = new Terminal();
        terminal.begin(trials.size() + " setups, faults for " + each.toSeconds() + " s each, seed " + seed);
        Files.createDirectories(HISTORIES);
        List<ReportPage.Played> played = new ArrayList<>();
        try (Conductor conductor = new Conductor(new Manner(seed, brief, false))) {
            for (Trial trial : trials) {
                Journal journal = new Journal();
                Row row = trial.row(played.size() + 1, each);
                RowResult result;
                try (Terminal.Progress progress = terminal.progress(row, journal, played.size(), trials.size())) {
                    result = conductor.play(row, journal);
                }
                terminal.row(result);
                if (result.verdict() != Verdict.SKIPPED) {
                    played.add(new ReportPage.Played(trial, result, new Measures(result)));
                    Files.write(
                            HISTORIES.resolve(trial.name().replaceAll("\\W+", "-") + ".txt"),
                            journal.entries().stream().map(SeenLine::write).toList());
                }
            }
        }
        return played;
    }
}
