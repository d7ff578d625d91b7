package io.holdfast.lock.examples.election;

import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.seconds;

import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Registration;
import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.ChildProcesses;
import io.holdfast.lock.examples.ExampleServer;
import io.holdfast.lock.examples.ServerOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Several processes campaign; every other leader is killed, the others resign. */
@Command(
        name = "election",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Processes elect a leader. It is killed: how long does no process lead, and who is next?",
        description = {
            "Starts several Java processes that campaign, one after the other. The first leads; the others wait in the "
                    + "order in which they came. The command is no candidate: it observes, and prints what it is told.",
            "",
            "The first leader is killed (kill -9), the second resigns, and so on in turn. A leader that resigns is "
                    + "followed after a message and a round trip; a dead one when its lease is over.",
            "",
            "Exit code: 0 if they led in their order, with terms that increase, and a dead leader was followed within "
                    + "its lease and " + ElectionCommand.LOOK_MILLIS + " ms, else 1."
        })
public final class ElectionCommand implements Callable<Integer> {

    /** To see that a lease is over, twice: the next candidate, and the observer. */
    static final int LOOK_MILLIS = 1_500;

    private static final int LEAST_PROCESSES = 2;
    private static final int MOST_PROCESSES = 9;
    private static final int BAR_WIDTH = 24;
    private static final long FRAME_MILLIS = 50;
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(60);
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--processes", defaultValue = "5", description = "Java processes (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "2000",
            description = "The lease of a leader (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--term",
            paramLabel = "MILLIS",
            defaultValue = "1500",
            description = "How long each leads (default: ${DEFAULT-VALUE}).")
    private long termMillis;

    @Override
    public Integer call() throws InterruptedException {
        if (processes < LEAST_PROCESSES || processes > MOST_PROCESSES) {
            throw refused(
                    "--processes: " + processes + " (expected: " + LEAST_PROCESSES + " to " + MOST_PROCESSES + ")");
        }
        if (leaseMillis < 100) {
            throw refused("--lease: " + leaseMillis + " (expected: at least 100)");
        }
        if (termMillis < 1) {
            throw refused("--term: " + termMillis + " (expected: at least 1)");
        }
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                LockClient client = LockClient.connect(redis.url());
                ChildProcesses children = new ChildProcesses(console)) {
            String name = "election-" + UUID.randomUUID().toString().substring(0, 8);
            console.print(processes + " Java processes campaign, each with a lease of " + leaseMillis + " ms");
            console.live("  the processes start");
            for (int number = 1; number <= processes; number++) {
                children.add(List.of(
                        CandidateCommand.NAME,
                        "--redis",
                        redis.url(),
                        "--name",
                        name,
                        "--id",
                        String.valueOf(number),
                        "--lease",
                        String.valueOf(leaseMillis)));
            }
            for (ChildProcess child : children.all()) {
                child.answer(PATIENCE_MILLIS);
            }
            return play(console, client, name, children.all()) ? 0 : 1;
        }
    }

    private ParameterException refused(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private boolean play(Console console, LockClient client, String name, List<ChildProcess> children)
            throws InterruptedException {
        LeaderElection election = client.getElection(name);
        Reigns reigns = new Reigns();
        try (Registration observing = election.observe(leader -> {
            reigns.changed(leader);
            console.print("  " + seconds(reigns.elapsedNanos()) + "  "
                    + leader.map(one -> "process " + one.id() + " leads, term " + one.term())
                            .orElse("no process leads"));
        })) {
            for (int number = 0; number < children.size(); number++) {
                children.get(number).order("campaign");
                awaitArrival(client, name, reigns, number);
            }
            for (int turn = 0; turn < children.size(); turn++) {
                if (!reigns.await(turn + 1, PATIENCE_NANOS)) {
                    console.print(console.bad("no further process leads"));
                    return false;
                }
                lead(console, reigns, turn);
                end(console, reigns, children, turn);
            }
            reigns.awaitEnd(PATIENCE_NANOS);
        }
        console.endLive();
        return conclude(console, reigns);
    }

    /** The first leads; the others stand in the queue, each behind those that came before. */
    private static void awaitArrival(LockClient client, String name, Reigns reigns, int number)
            throws InterruptedException {
        if (number == 0) {
            reigns.await(1, PATIENCE_NANOS);
            return;
        }
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (client.inspect(name).queue().size() < number && System.nanoTime() - endNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void lead(Console console, Reigns reigns, int turn) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(termMillis);
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            console.live(String.format(
                    "  process %d leads  %s  %s  %6s",
                    reigns.all().get(turn).process(),
                    Text.bar(1 - left / (termMillis * 1e6), BAR_WIDTH),
                    processes - turn - 1 + " wait",
                    seconds(reigns.elapsedNanos())));
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(FRAME_MILLIS)));
        }
        console.live("");
    }

    private static boolean isKilled(int turn) {
        return turn % 2 == 0;
    }

    private void end(Console console, Reigns reigns, List<ChildProcess> children, int turn) {
        int process = reigns.all().get(turn).process();
        ChildProcess leader = children.get(process - 1);
        String how = isKilled(turn) ? "is killed" : "resigns";
        console.print("  " + seconds(reigns.elapsedNanos()) + "  process " + process + ' ' + how);
        if (isKilled(turn)) {
            reigns.killed();
            leader.close();
        } else {
            leader.order("resign");
        }
    }

    private boolean conclude(Console console, Reigns reigns) {
        long mostNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis + LOOK_MILLIS);
        List<Reign> all = reigns.all();
        Table table = new Table("leader", "term", "led from", "led for", "then", "no process led for");
        boolean quick = true;
        for (int turn = 0; turn < all.size(); turn++) {
            Reign reign = all.get(turn);
            long gap = reigns.gapNanos(turn);
            boolean inTime = gap <= mostNanos;
            quick &= inTime;
            table.row(
                    "process " + reign.process(),
                    String.valueOf(reign.term()),
                    seconds(reign.fromNanos()),
                    seconds(reign.untilNanos() - reign.fromNanos()),
                    reign.killed() ? "killed" : "resigned",
                    turn + 1 < all.size() ? new Table.Cell(duration(gap), inTime ? console::good : console::bad) : "-");
        }
        console.print("", ". waits   # leads   x killed", "");
        console.print(reigns.picture(processes).toArray(String[]::new));
        console.print("");
        console.print(table.lines());
        List<Integer> order = new ArrayList<>();
        all.forEach(reign -> order.add(reign.process()));
        boolean kept = order.equals(IntStream.rangeClosed(1, processes).boxed().toList());
        boolean exact = kept && quick && reigns.termsIncrease();
        console.print(
                "",
                kept
                        ? console.good("one leader at a time, first come, first served")
                        : console.bad("the order was not kept: " + order),
                reigns.termsIncrease()
                        ? "  Terms only increased: what refuses smaller ones is safe from a late leader."
                        : "  " + console.bad("Terms did not only increase."));
        return exact;
    }
}
