package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.workload.WatchedServers;
import io.holdfast.lock.benchmarks.workload.WatchedServers.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster}: what renewals cost on a cluster, beside one server; others of clusters are below it. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        subcommands = {ClusterLocksCommand.class, ClusterFailoverCommand.class, ClusterMoveCommand.class},
        header = "Measure the renewal of many locks on a cluster, and on one server.",
        description = {
            "A cluster takes a call for each slot, where another server takes 100 locks at once. The two take turns; ratios"
                    + " are the medians of all rounds.",
            "The goal is a ratio of the client's processor time; with one primary, by redis://, also of the server's, which is"
                    + " then not that of nodes talking to each other. No lock is to be lost."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:the goal is met",
            "1:the goal is missed, a lock was lost, or something failed",
            "2:the command line is wrong"
        })
final class ClusterCommand implements Callable<Integer> {

    @Option(names = "--primaries", paramLabel = "N", description = "Of the cluster. Default: ${DEFAULT-VALUE}")
    private int primaries = 3;

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
        try (WatchedServers server = WatchedServers.single();
                WatchedServers cluster = WatchedServers.cluster(primaries)) {
            for (int round = 1; round <= rounds; round++) {
                screen.live("round " + round + " of " + rounds);
                boolean clusterFirst = round % 2 == 0;
                if (clusterFirst) {
                    inCluster.add(cluster.measure(locks, leaseMillis, periods));
                }
                alone.add(server.measure(locks, leaseMillis, periods));
                if (!clusterFirst) {
                    inCluster.add(cluster.measure(locks, leaseMillis, periods));
                }
            }
        }
        screen.endLive();
        Comparison client = Comparison.of(alone, inCluster, Cost::clientMillis);
        Comparison atServer = Comparison.of(alone, inCluster, Cost::serverMillis);
        boolean judgesServer = primaries == 1;
        Table table = new Table(List.of("per 1,000 renewals", "one server", "cluster", "ratio", "range", "goal"));
        String atMost = "<= " + Comparison.text(goal);
        client.row(table, "client, ms of processor", atMost);
        atServer.row(table, "servers, ms of processor", judgesServer ? atMost : "");
        Comparison.of(alone, inCluster, Cost::calls).row(table, "script calls", "");
        screen.print(table.lines().toArray(String[]::new));
        double lost = alone.stream().mapToDouble(Cost::lost).sum()
                + inCluster.stream().mapToDouble(Cost::lost).sum();
        boolean met = lost == 0 && client.isWithin(goal) && (!judgesServer || atServer.isWithin(goal));
        screen.print(lost == 0 ? "No lock was lost." : screen.bad("Locks lost: " + Math.round(lost)));
        screen.print(met ? screen.good("The goal is met.") : screen.bad("The goal is missed."));
        return met ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
