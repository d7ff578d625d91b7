package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.result.Spread;
import io.holdfast.lock.benchmarks.workload.ClusterFailover;
import io.holdfast.lock.benchmarks.workload.ClusterFailover.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster failover}: how soon locks are granted again after kill -9 of their primary. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        header = "Measure how soon locks are granted again after kill -9 of a cluster's primary.",
        description = {
            "Each time there is a new cluster of three primaries with a replica each. Four threads take and give back a lock"
                    + " of Holdfast's, four others one of Redisson's, both at the primary that is killed.",
            "The goal is the median from the moment in which the slots are served again to Holdfast's first grant."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {"0:the goal is met", "1:the goal is missed, or something failed", "2:the command line is wrong"
        })
final class ClusterFailoverCommand implements Callable<Integer> {

    @Option(names = "--times", paramLabel = "N", description = "How many clusters. Default: ${DEFAULT-VALUE}")
    private int times = 10;

    @Option(names = "--node-timeout", paramLabel = "MS", description = "The nodes'. Default: ${DEFAULT-VALUE}")
    private long nodeTimeoutMillis = 2_000;

    @Option(names = "--goal", paramLabel = "MS", description = "What is enough. Default: ${DEFAULT-VALUE}")
    private double goalMillis = 300;

    @Override
    public Integer call() throws InterruptedException {
        Screen screen = Screen.ofProcess();
        List<Times> all = new ArrayList<>();
        for (int time = 1; time <= times; time++) {
            screen.live("kill " + time + " of " + times);
            all.add(ClusterFailover.measure(Duration.ofMillis(nodeTimeoutMillis)));
        }
        screen.endLive();
        Table table = new Table(List.of("ms, " + times + " times kill -9", "median", "range", "goal"));
        Spread holdfast = spread(all, Times::holdfast);
        row(table, "from the kill until the slots are served", spread(all, Times::served), "");
        row(table, "from there to the first grant, Holdfast", holdfast, "<= " + text(goalMillis));
        row(table, "from there to the first grant, Redisson", spread(all, Times::redisson), "");
        screen.print(table.lines().toArray(String[]::new));
        boolean met = holdfast.median() <= goalMillis;
        screen.print(met ? screen.good("The goal is met.") : screen.bad("The goal is missed."));
        return met ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static Spread spread(List<Times> all, ToDoubleFunction<Times> of) {
        return Spread.of(all.stream().map(of::applyAsDouble).toList());
    }

    private static void row(Table table, String title, Spread spread, String goal) {
        table.row(List.of(title, text(spread.median()), text(spread.least()) + " .. " + text(spread.most()), goal));
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%,.0f", millis);
    }
}
