package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.workload.WatchedServer;
import io.holdfast.lock.benchmarks.workload.WatchedServer.Cost;
import io.holdfast.lock.testkit.ServerMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster}: what renewals cost on a server in cluster mode, beside one that is not. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        header = "Measure the renewal of many locks on a server in cluster mode, and on one for itself.",
        description = {
            "A cluster takes a call for each slot, where another server takes 100 locks at once. The two take turns; ratios"
                    + " are the medians of all rounds.",
            "The goal is a ratio of processor time, which neither the client nor the server is to exceed."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {"0:the goal is met", "1:the goal is missed, or something failed", "2:the command line is wrong"
        })
final class ClusterCommand implements Callable<Integer> {

    @Option(names = "--locks", paramLabel = "N", description = "How many locks are held. Default: ${DEFAULT-VALUE}")
    private int locks = 10_000;

    @Option(names = "--lease", paramLabel = "MS", description = "The watchdog's lease. Default: ${DEFAULT-VALUE}")
    private long leaseMillis = 30_000;

    @Option(
            names = "--periods",
            paramLabel = "N",
            description = "Thirds of a lease per round. Default: ${DEFAULT-VALUE}")
    private int periods = 3;

    @Option(names = "--rounds", paramLabel = "N", description = "How many turns each has. Default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    @Option(
            names = "--goal",
            paramLabel = "RATIO",
            description = "How many times the processor time of one server is enough. Default: ${DEFAULT-VALUE}")
    private double goal = 2;

    @Override
    public Integer call() {
        Screen screen = Screen.ofProcess();
        List<Cost> alone = new ArrayList<>();
        List<Cost> inCluster = new ArrayList<>();
        try (WatchedServer server = WatchedServer.start(ServerMode.STANDALONE);
                WatchedServer cluster = WatchedServer.start(ServerMode.CLUSTER)) {
            for (int round = 1; round <= rounds; round++) {
                screen.live("round " + round + " of " + rounds);
                alone.add(server.measure(locks, leaseMillis, periods));
                inCluster.add(cluster.measure(locks, leaseMillis, periods));
            }
        }
        screen.endLive();
        Table table = new Table(List.of("per 1,000 renewals", "one server", "cluster mode", "ratio", "goal"));
        Comparison client = new Comparison(alone, inCluster, Cost::clientMillis);
        Comparison atServer = new Comparison(alone, inCluster, Cost::serverMillis);
        row(table, "client, ms of processor", client, atMost(goal));
        row(table, "server, ms of processor", atServer, atMost(goal));
        row(table, "script calls", new Comparison(alone, inCluster, Cost::calls), "");
        screen.print(table.lines().toArray(String[]::new));
        boolean met = client.isWithin(goal) && atServer.isWithin(goal);
        screen.print(met ? screen.good("The goal is met.") : screen.bad("The goal is missed."));
        return met ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void row(Table table, String title, Comparison figure, String goal) {
        table.row(
                List.of(title, text(figure.medianAlone()), text(figure.medianInCluster()), text(figure.ratio()), goal));
    }

    private static String atMost(double goal) {
        return "<= " + text(goal);
    }

    /** One figure of both, round by round. */
    record Comparison(double[] alone, double[] inCluster) {

        Comparison(List<Cost> alone, List<Cost> inCluster, ToDoubleFunction<Cost> figure) {
            this(
                    alone.stream().mapToDouble(figure).toArray(),
                    inCluster.stream().mapToDouble(figure).toArray());
        }

        double medianAlone() {
            return median(alone);
        }

        double medianInCluster() {
            return median(inCluster);
        }

        /** The median of the ratios that the rounds have. */
        double ratio() {
            return median(IntStream.range(0, alone.length)
                    .mapToDouble(i -> inCluster[i] / alone[i])
                    .toArray());
        }

        /** Whether the ratio is a number, and not above the goal. */
        boolean isWithin(double goal) {
            return ratio() <= goal;
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
