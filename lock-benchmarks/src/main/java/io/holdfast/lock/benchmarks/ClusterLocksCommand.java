package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.workload.ClusterLoad;
import io.holdfast.lock.benchmarks.workload.ClusterLoad.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster locks}: what a lock and its unlock cost on a cluster, beside one server. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        header = "Measure what a lock and its unlock cost on a cluster, and on one server.",
        description = {
            "Threads take and give back locks of their own all over the slots, on one server and on a cluster in turn, all"
                    + " from this process. Ratios are the medians of all rounds. Redisson does the same beside it.",
            "The goal is a ratio of Holdfast's processor time for each lock; and two script calls for each, with both."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {"0:the goals are met", "1:a goal is missed, or something failed", "2:the command line is wrong"
        })
final class ClusterLocksCommand implements Callable<Integer> {

    private static final List<PeerKind> KINDS = List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    private static final double CALLS = 2;

    @Option(names = "--primaries", paramLabel = "N", description = "Of the cluster. Default: ${DEFAULT-VALUE}")
    private int primaries = 3;

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "How many at once; several numbers with commas. Default: 1,16,64")
    private List<Integer> threads = List.of(1, 16, 64);

    @Option(names = "--millis", paramLabel = "MS", description = "How long a round is. Default: ${DEFAULT-VALUE}")
    private long roundMillis = 1_000;

    @Option(names = "--rounds", paramLabel = "N", description = "How many turns each has. Default: ${DEFAULT-VALUE}")
    private int rounds = 9;

    @Option(
            names = "--goal",
            paramLabel = "RATIO",
            description = "How many times the processor time on one server is enough. Default: ${DEFAULT-VALUE}")
    private double goal = 1.3;

    @Override
    public Integer call() {
        Screen screen = Screen.ofProcess();
        Table table = new Table(List.of("lock and unlock", "one server", "cluster", "ratio", "range", "goal"));
        boolean met = true;
        try (ClusterLoad load = ClusterLoad.start(primaries)) {
            for (int number : threads) {
                for (PeerKind kind : KINDS) {
                    met &= measure(screen, table, load, kind, number);
                }
            }
        }
        screen.endLive();
        screen.print(table.lines().toArray(String[]::new));
        screen.print(met ? screen.good("The goals are met.") : screen.bad("A goal is missed."));
        return met ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Returns whether the goals are met. */
    private boolean measure(Screen screen, Table table, ClusterLoad load, PeerKind kind, int number) {
        String title = kind.title() + ", " + number + (number == 1 ? " thread" : " threads");
        List<Cost> alone = new ArrayList<>();
        List<Cost> inCluster = new ArrayList<>();
        screen.live(title + ": warming up");
        load.round(kind, false, number, 3 * roundMillis);
        load.round(kind, true, number, 3 * roundMillis);
        for (int round = 1; round <= rounds; round++) {
            screen.live(title + ": round " + round + " of " + rounds);
            boolean clusterFirst = round % 2 == 0;
            if (clusterFirst) {
                inCluster.add(load.round(kind, true, number, roundMillis));
            }
            alone.add(load.round(kind, false, number, roundMillis));
            if (!clusterFirst) {
                inCluster.add(load.round(kind, true, number, roundMillis));
            }
        }
        boolean ours = kind == PeerKind.HOLDFAST;
        Comparison processor = Comparison.of(alone, inCluster, Cost::clientMicros);
        Comparison calls = Comparison.of(alone, inCluster, Cost::calls);
        processor.row(table, title + ": us of processor", ours ? "<= " + Comparison.text(goal) : "");
        Comparison.of(alone, inCluster, Cost::perSecond).row(table, "  locks a second", "");
        calls.row(table, "  script calls", ours ? "2 each" : "");
        return !ours || (processor.isWithin(goal) && calls.areAll(CALLS));
    }
}
