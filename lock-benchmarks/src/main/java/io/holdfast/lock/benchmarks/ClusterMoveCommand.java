package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.workload.ClusterMove;
import io.holdfast.lock.benchmarks.workload.ClusterMove.Result;
import io.holdfast.lock.benchmarks.workload.ClusterMove.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster move}: what becomes of locks in a slot that is in migration for long. */
@Command(
        name = "move",
        mixinStandardHelpOptions = true,
        header = "Measure what becomes of locks in a slot that is in migration for long.",
        description = {
            "Locks of one slot are held under the watchdog, and one thread takes and gives back a free lock there, again and"
                    + " again, before the slot is opened and while it is. After half of the time half of the keys move.",
            "The goal is the longest wait for the free lock; and no watched lock is to be lost."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:the goal is met",
            "1:the goal is missed, a lock was lost, or something failed",
            "2:the command line is wrong"
        })
final class ClusterMoveCommand implements Callable<Integer> {

    @Option(names = "--locks", paramLabel = "N", description = "How many locks are held. Default: ${DEFAULT-VALUE}")
    private int locks = 100;

    @Option(names = "--lease", paramLabel = "MS", description = "The watchdog's lease. Default: ${DEFAULT-VALUE}")
    private long leaseMillis = 3_000;

    @Option(names = "--open", paramLabel = "MS", description = "How long the slot is open. Default: ${DEFAULT-VALUE}")
    private long openMillis = 10_000;

    @Option(names = "--goal", paramLabel = "MS", description = "The longest wait. Default: ${DEFAULT-VALUE}")
    private double goalMillis = 500;

    @Override
    public Integer call() throws InterruptedException {
        Screen screen = Screen.ofProcess();
        screen.live("a slot is opened for " + openMillis + " ms");
        Result result = ClusterMove.measure(locks, Duration.ofMillis(leaseMillis), Duration.ofMillis(openMillis));
        screen.endLive();
        Table table = new Table(List.of("a free lock, ms of waiting", "grants", "median", "longest", "goal"));
        String goal = "< " + text(goalMillis);
        row(table, "before the slot is opened", result.before(), "");
        row(table, "open, no key has moved", result.unmoved(), goal);
        row(table, "open, half of the keys have moved", result.halfMoved(), goal);
        screen.print(table.lines().toArray(String[]::new));
        boolean kept = result.lost() == 0;
        boolean met = kept && result.longestMillis() < goalMillis;
        screen.print(
                kept
                        ? "None of " + locks + " watched locks was lost."
                        : screen.bad("Lost: " + result.lost() + " of " + locks + " watched locks."));
        screen.print(met ? screen.good("The goal is met.") : screen.bad("The goal is missed."));
        return met ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void row(Table table, String title, Waits waits, String goal) {
        table.row(List.of(
                title,
                String.format(Locale.ROOT, "%,d", waits.grants()),
                text(waits.medianMillis()),
                text(waits.longestMillis()),
                goal));
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%,.2f", millis);
    }
}
