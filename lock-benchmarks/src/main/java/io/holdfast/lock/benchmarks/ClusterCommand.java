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
        description = "A cluster takes a call for each slot, where another server takes 100 locks at once. The two take"
                + " turns; ratios are the medians of all rounds.")
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
        Table table = new Table(List.of("per 1,000 renewals", "one server", "cluster mode", "ratio"));
        row(table, "client, ms of processor", alone, inCluster, Cost::clientMillis);
        row(table, "server, ms of processor", alone, inCluster, Cost::serverMillis);
        row(table, "script calls", alone, inCluster, Cost::calls);
        screen.print(table.lines().toArray(String[]::new));
        return CommandLine.ExitCode.OK;
    }

    private static void row(
            Table table, String title, List<Cost> alone, List<Cost> inCluster, ToDoubleFunction<Cost> figure) {
        table.row(List.of(
                title,
                text(median(alone.stream().mapToDouble(figure).toArray())),
                text(median(inCluster.stream().mapToDouble(figure).toArray())),
                text(median(IntStream.range(0, alone.size())
                        .mapToDouble(i -> figure.applyAsDouble(inCluster.get(i)) / figure.applyAsDouble(alone.get(i)))
                        .toArray()))));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
