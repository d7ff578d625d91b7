package io.holdfast.lock.examples.fair;

import static io.holdfast.lock.examples.console.Text.duration;

import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.ChildProcesses;
import io.holdfast.lock.examples.ExampleServer;
import io.holdfast.lock.examples.ServerOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
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

/** Processes queue for a fair lock, twice; the second time one of them is frozen before its turn. */
@Command(
        name = "fair",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Processes queue for one lock. One is frozen before its turn: what does that cost the others?",
        description = {
            "Starts several Java processes that ask for one fair lock, one after the other. The queue is at the server, "
                    + "so they get it in the order in which they asked.",
            "",
            "In the second round the third process is frozen (SIGSTOP) while it waits. At its turn the lock is kept for "
                    + "it for a second, the claim window; then the next one has it, and not after a whole lease. When "
                    + "the frozen process runs again, its place is gone, and it stands at the end.",
            "",
            "Exit code: 0 if the order was kept and the frozen process cost the others no more than "
                    + FairCommand.MOST_IDLE_MILLIS + " ms, else 1."
        })
public final class FairCommand implements Callable<Integer> {

    /** The claim window twice, and time to look: a client that asked after its turn had come counts as present once more. */
    static final int MOST_IDLE_MILLIS = 2_500;

    private static final int LEAST_PROCESSES = 4;
    private static final int MOST_PROCESSES = 6;
    private static final int FROZEN = 3;
    private static final long CLAIM_WINDOW_MILLIS = 1_000;
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--processes", defaultValue = "5", description = "Java processes (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--hold",
            paramLabel = "MILLIS",
            defaultValue = "600",
            description = "How long each holds the lock (default: ${DEFAULT-VALUE}).")
    private long holdMillis;

    @Override
    public Integer call() throws InterruptedException {
        if (processes < LEAST_PROCESSES || processes > MOST_PROCESSES) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--processes: " + processes + " (expected: " + LEAST_PROCESSES + " to " + MOST_PROCESSES + ")");
        }
        if (holdMillis < 1) {
            throw new ParameterException(spec.commandLine(), "--hold: " + holdMillis + " (expected: at least 1)");
        }
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                ChildProcesses children = new ChildProcesses(console)) {
            String name = "fair-" + UUID.randomUUID().toString().substring(0, 8);
            console.print(processes + " Java processes want one fair lock, each for " + holdMillis + " ms");
            for (int number = 0; number < processes; number++) {
                children.add(List.of(FairProcessCommand.NAME, "--redis", redis.url(), "--name", name));
            }
            for (ChildProcess child : children.all()) {
                child.answer(PATIENCE_MILLIS);
            }
            return play(console, children.all()) ? 0 : 1;
        }
    }

    private boolean play(Console console, List<ChildProcess> children) throws InterruptedException {
        console.heading("Round 1: nobody is frozen");
        Queueing healthy = new Queueing(console, children);
        healthy.arrive(holdMillis);
        Visits first = healthy.finish();
        show(console, first);

        console.heading("Round 2: process " + FROZEN + " is frozen while it waits");
        Queueing troubled = new Queueing(console, children);
        troubled.arrive(holdMillis);
        troubled.freeze(FROZEN, freezeMillis());
        Visits second = troubled.finish();
        show(console, second);

        return conclude(console, first, second, healthy.tokensIncreased() && troubled.tokensIncreased());
    }

    /** Until others have had their turns after the one that it misses, but not all of them. */
    private long freezeMillis() {
        return (FROZEN - 1) * holdMillis + CLAIM_WINDOW_MILLIS + holdMillis / 2;
    }

    private static void show(Console console, Visits visits) {
        console.print("");
        console.print(visits.picture().toArray(String[]::new));
    }

    private boolean conclude(Console console, Visits first, Visits second, boolean tokensIncreased) {
        List<Integer> all = IntStream.rangeClosed(1, processes).boxed().toList();
        List<Integer> others = new ArrayList<>(all);
        others.remove(Integer.valueOf(FROZEN));
        List<Integer> whoRan =
                second.order().stream().filter(process -> process != FROZEN).toList();
        boolean kept = first.order().equals(all) && whoRan.equals(others);
        long mostNanos = TimeUnit.MILLISECONDS.toNanos(MOST_IDLE_MILLIS);
        boolean cheap = second.longestIdleNanos() <= mostNanos;
        Table table = new Table("round", "order of the grants", "longest time without a holder");
        table.row("nobody is frozen", words(first.order()), duration(first.longestIdleNanos()));
        table.row(
                "process " + FROZEN + " is frozen",
                words(second.order()),
                new Table.Cell(duration(second.longestIdleNanos()), cheap ? console::good : console::bad));
        console.print("", ". waits   # holds the lock   z is frozen", "");
        console.print(table.lines());
        console.print(
                "",
                kept ? console.good("first come, first served") : console.bad("the order was not kept"),
                "  At its turn the lock was kept for the frozen process for the claim window,",
                "  " + CLAIM_WINDOW_MILLIS + " ms, and not for a lease; when it ran again, it stood at the end.",
                tokensIncreased ? "  Tokens only increased." : "  " + console.bad("Tokens did not only increase."));
        return kept && cheap && tokensIncreased;
    }

    private static String words(List<Integer> order) {
        return String.join(" ", order.stream().map(String::valueOf).toList());
    }
}
