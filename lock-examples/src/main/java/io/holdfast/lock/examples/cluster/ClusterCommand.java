package io.holdfast.lock.examples.cluster;

import static io.holdfast.lock.examples.console.Text.count;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.examples.ChildProcesses;
import io.holdfast.lock.examples.ScreenOptions;
import io.holdfast.lock.examples.console.Console;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Works through the move of a slot and the death of a primary. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Locks of a cluster: a slot moves while they are in use, and a primary dies.",
        description = {
            "Starts a cluster of three primaries with a replica each, and a server of its own for the numbers that the "
                    + "locks guard. Workers in several processes take each lock again and again, read its number, think, and "
                    + "write it back greater by one, with the token of their hold. This process holds a watched lock at each "
                    + "primary from the beginning to the end.",
            "",
            "Then a slot is moved to another primary, key by key, and stays open for a while. Then that primary is killed "
                    + "(kill -9), and its replica takes over. A terminal shows where slots and locks are meanwhile.",
            "",
            "Exit code: 0 if each number is what was counted, tokens only rose, and no watched lock was lost, else 1."
        })
public final class ClusterCommand implements Callable<Integer> {

    /** Each begins with another letter and is in another part of the slots; each three have one at each primary. */
    static final List<String> LOCKS = List.of(
            "apples", "bread", "carrots", "dates", "eggs", "kiwis", "grapes", "flour", "milk", "honey", "jam", "pears");

    private static final int LEAST_LOCKS = 3;

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--locks", defaultValue = "12", description = "Locks (default: ${DEFAULT-VALUE}).")
    private int locks;

    @Option(
            names = "--processes",
            defaultValue = "3",
            description = "Java processes with a worker of each lock (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--work",
            paramLabel = "MILLIS",
            defaultValue = "4000",
            description = "How long workers work before and after (default: ${DEFAULT-VALUE}).")
    private long workMillis;

    @Option(
            names = "--move",
            paramLabel = "MILLIS",
            defaultValue = "4000",
            description = "How long the slot stays open (default: ${DEFAULT-VALUE}).")
    private long moveMillis;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "15000",
            description = "The lease of every lock, which the watchdog renews (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--node-timeout",
            paramLabel = "MILLIS",
            defaultValue = "2000",
            description = "Without an answer for so long a node finds another one failed (default: ${DEFAULT-VALUE}).")
    private long nodeTimeoutMillis;

    @Option(
            names = "--think",
            paramLabel = "MICROS",
            defaultValue = "20000",
            description = "How long a worker thinks, on average (default: ${DEFAULT-VALUE}).")
    private long thinkMicros;

    @Option(names = "--log", description = "Show what the clients log, too.")
    private boolean log;

    @Override
    public Integer call() throws InterruptedException {
        validate();
        Logger clientLog = (Logger) LoggerFactory.getLogger("io.holdfast.lock");
        Level formerLevel = clientLog.getLevel();
        if (!log) {
            clientLog.setLevel(Level.ERROR);
        }
        try {
            return play(screen.console());
        } finally {
            clientLog.setLevel(formerLevel);
        }
    }

    private int play(Console console) throws InterruptedException {
        List<String> names = LOCKS.subList(0, locks);
        console.live("starting three primaries and their replicas");
        try (Nodes nodes = Nodes.start(Duration.ofMillis(nodeTimeoutMillis));
                ChildProcesses children = new ChildProcesses(console);
                LockClient numbers = LockClient.connect(
                        nodes.numberUrl(),
                        ClientOptions.builder().clientName("numbers").build())) {
            console.endLive();
            console.print(nodes.described().toArray(String[]::new));
            console.live("starting " + processes + " processes of workers");
            for (int number = 0; number < processes; number++) {
                children.add(workers(nodes, names));
            }
            Work work = new Work(children.all());
            work.awaitReady();
            ClusterPlay play = new ClusterPlay(console, nodes, work, names);
            List<String> besides = ClusterPlay.oneOfEach(names, play.table());
            try (WatchedLocks watched = WatchedLocks.take(nodes.lockUrl(), Duration.ofMillis(leaseMillis), besides)) {
                console.endLive();
                console.heading(count((long) locks * processes) + " workers in " + processes + " processes want "
                        + locks + " locks");
                play.perform(workMillis, moveMillis);
                return new ClusterReport(console, nodes, work, play, names).conclude(watched, numbers) ? 0 : 1;
            }
        }
    }

    private List<String> workers(Nodes nodes, List<String> names) {
        List<String> command = new ArrayList<>(List.of(
                ClusterWorkersCommand.NAME,
                "--locks",
                nodes.lockUrl(),
                "--numbers",
                nodes.numberUrl(),
                "--names",
                String.join(",", names),
                "--lease",
                String.valueOf(leaseMillis),
                "--think",
                String.valueOf(thinkMicros)));
        if (log) {
            command.add("--log");
        }
        return command;
    }

    private void validate() {
        between("--locks", locks, LEAST_LOCKS, LOCKS.size());
        between("--processes", processes, 1, 6);
        between("--work", workMillis, 1, 60_000);
        between("--move", moveMillis, 1, 60_000);
        between("--lease", leaseMillis, LockOptions.MIN_WATCHDOG_LEASE.toMillis(), 600_000);
        between("--node-timeout", nodeTimeoutMillis, 500, 60_000);
        between("--think", thinkMicros, 1_000, 1_000_000);
    }

    private void between(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }
}
