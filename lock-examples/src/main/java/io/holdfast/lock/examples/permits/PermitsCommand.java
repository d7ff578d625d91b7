package io.holdfast.lock.examples.permits;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.seconds;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.ChildProcesses;
import io.holdfast.lock.examples.ExampleServer;
import io.holdfast.lock.examples.JedisConnections;
import io.holdfast.lock.examples.ServerOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import redis.clients.jedis.JedisPool;

/** Several processes that may have so many connections together, one of which is killed, once per way of limiting. */
@Command(
        name = "permits",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Several processes share a limit of connections; one that has some is killed.",
        description = {
            "Starts a supplier that counts its connections, and several Java processes whose threads all want one. How many "
                    + "may be open at once is limited: by a number in Redis that is counted down and up, and by the permits "
                    + "of a semaphore. In each run one process is killed while it has connections.",
            "",
            "What the process had taken from the counter never comes back. Permits have a lease, which the watchdog renews: "
                    + "those of the killed process are free when it is over, and the others use them.",
            "",
            "Exit code: 0 if no more connections than permits were open, and all permits were in use again after the "
                    + "kill; else 1."
        })
public final class PermitsCommand implements Callable<Integer> {

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(60);
    private static final long LOOK_MILLIS = 50;
    private static final int PICTURE_WIDTH = 64;
    /** How much longer than a lease a run goes on after the kill. */
    private static final long SPARE_MILLIS = 1_500;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--limit",
            defaultValue = "8",
            description = "Connections that may be open at once, 9 at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--processes", defaultValue = "4", description = "Java processes (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--threads",
            defaultValue = "4",
            description = "Threads of each that want connections (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "3000",
            description = "The watchdog's lease (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--work",
            paramLabel = "MILLIS",
            defaultValue = "100",
            description = "How long a thread has a connection (default: ${DEFAULT-VALUE}).")
    private long workMillis;

    /**
     * What came of one way of limiting.
     *
     * @param had how many connections the killed process had
     * @param goneNanos when they had ended
     * @param left the most that were open in the moment after the kill
     */
    private record Result(
            LimitKind kind,
            Course course,
            int served,
            long startNanos,
            long killNanos,
            long goneNanos,
            long endNanos,
            int had,
            int left) {

        /** How long after the kill as many were open again as may be. */
        OptionalLong fullAgainNanos(int limit) {
            OptionalLong first = course.firstAfter(goneNanos, limit);
            return first.isPresent() ? OptionalLong.of(first.getAsLong() - killNanos) : first;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        between("--limit", limit, 1, 9);
        between("--processes", processes, 2, 99);
        between("--threads", threads, (limit + processes - 2) / (processes - 1), 99);
        between("--lease", leaseMillis, 500, PATIENCE_MILLIS);
        between("--work", workMillis, 1, PATIENCE_MILLIS);
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                LockClient client = LockClient.connect(redis.url());
                JedisPool jedis = JedisConnections.open(URI.create(redis.url()), 1);
                Supplier supplier = Supplier.start();
                ChildProcesses children = new ChildProcesses(console)) {
            console.print(
                    processes + " Java processes with " + Text.plural(threads, "thread") + " each, and "
                            + Text.plural(limit, "connection") + " for all of them",
                    "");
            console.live("  the processes start");
            // One more, which stands in for the first that is killed.
            for (int number = 1; number <= processes + 1; number++) {
                children.add(command(redis.url(), supplier, number));
            }
            for (ChildProcess child : children.all()) {
                child.answer(PATIENCE_MILLIS);
            }
            console.endLive();
            List<ChildProcess> living = new ArrayList<>(children.all());
            List<Result> results = new ArrayList<>();
            for (LimitKind kind : LimitKind.values()) {
                String name = "connections-" + UUID.randomUUID().toString().substring(0, 8);
                kind.set(client, jedis, name, limit);
                try {
                    results.add(run(console, kind, name, supplier, living));
                } finally {
                    console.endLive();
                    kind.remove(jedis, name);
                }
            }
            return conclude(console, results);
        }
    }

    /** The first so many of those that live take part, and the last of these is killed. */
    private Result run(Console console, LimitKind kind, String name, Supplier supplier, List<ChildProcess> living)
            throws InterruptedException {
        Course course = supplier.begin();
        List<ChildProcess> all = List.copyOf(living.subList(0, processes));
        ChildProcess victim = all.get(processes - 1);
        long startNanos = System.nanoTime();
        all.forEach(child -> child.order("go " + kind + " " + name));
        watch(console, kind, supplier, startNanos, startNanos + millis(leaseMillis / 2));

        int had = awaitConnectionsOf(victim, supplier);
        long killNanos = System.nanoTime();
        living.remove(victim);
        victim.close();
        console.print(String.format(
                "  %s  %-8s process %d killed; it had %s",
                seconds(killNanos - startNanos), kind.label(), victim.number(), Text.plural(had, "connection")));
        awaitGone(victim, supplier);
        long goneNanos = System.nanoTime();
        watch(console, kind, supplier, startNanos, killNanos + millis(leaseMillis + SPARE_MILLIS));
        long endNanos = System.nanoTime();
        int left = course.mostBetween(goneNanos, goneNanos + millis(workMillis));
        Result result =
                new Result(kind, course, supplier.served(), startNanos, killNanos, goneNanos, endNanos, had, left);
        stop(all, victim);
        return result;
    }

    private List<String> command(String redis, Supplier supplier, int number) {
        return List.of(
                PermitsProcessCommand.NAME,
                "--redis",
                redis,
                "--supplier",
                String.valueOf(supplier.port()),
                "--number",
                String.valueOf(number),
                "--threads",
                String.valueOf(threads),
                "--lease",
                String.valueOf(leaseMillis),
                "--work",
                String.valueOf(workMillis));
    }

    private void watch(Console console, LimitKind kind, Supplier supplier, long startNanos, long untilNanos)
            throws InterruptedException {
        for (long now = System.nanoTime(); now - untilNanos < 0; now = System.nanoTime()) {
            int open = supplier.open();
            console.live(String.format(
                    "  %s  %-8s %s %d of %d open",
                    seconds(now - startNanos), kind.label(), Text.bar(open / (double) limit, limit * 3), open, limit));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Waits until the process has connections; how many. */
    private static int awaitConnectionsOf(ChildProcess victim, Supplier supplier) throws InterruptedException {
        long endNanos = System.nanoTime() + millis(PATIENCE_MILLIS);
        while (supplier.openOf(victim.number()) == 0) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("process " + victim.number() + " gets no connection");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return supplier.openOf(victim.number());
    }

    /** Its connections end with the process. */
    private static void awaitGone(ChildProcess victim, Supplier supplier) throws InterruptedException {
        long endNanos = System.nanoTime() + millis(PATIENCE_MILLIS);
        while (supplier.openOf(victim.number()) > 0 && System.nanoTime() - endNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void stop(List<ChildProcess> all, ChildProcess victim) throws InterruptedException {
        for (ChildProcess child : all) {
            if (child != victim) {
                child.order("stop");
            }
        }
        for (ChildProcess child : all) {
            if (child != victim) {
                child.answer(PATIENCE_MILLIS);
            }
        }
    }

    private int conclude(Console console, List<Result> results) {
        console.print("", "connections that were open, the most in each moment; K: the kill");
        results.forEach(result -> console.print(picture(console, result)));
        Table table = new Table("limit", "most open", "killed had", "then open", "full again after", "used");
        for (Result result : results) {
            int most = result.course().most();
            OptionalLong again = result.fullAgainNanos(limit);
            table.row(
                    result.kind().label(),
                    new Table.Cell(count(most), most <= limit ? console::good : console::bad),
                    count(result.had()),
                    count(result.left()),
                    again.isPresent()
                            ? new Table.Cell(seconds(again.getAsLong()), console::good)
                            : new Table.Cell("never", console::bad),
                    count(result.served()));
        }
        console.print("");
        console.print(table.lines());
        console.print("", "then open: the most right after the kill; used: connections in all", "");
        results.forEach(result -> {
            console.print(console.bold(result.kind().label()));
            Text.wrap("  " + result.kind().remark(), 79, 2).forEach(console::print);
        });
        Result permits = results.get(LimitKind.PERMITS.ordinal());
        boolean kept = permits.course().most() <= limit;
        boolean back = permits.fullAgainNanos(limit).isPresent();
        console.print(
                "",
                kept && back
                        ? console.good("kept") + ": never more than " + Text.plural(limit, "connection")
                                + ", and all in use again after the kill"
                        : console.bad("wrong") + ": "
                                + (kept ? "the permits did not come back" : "more connections than permits were open"));
        return kept && back ? 0 : 1;
    }

    /** A digit for each moment, and the kill below. */
    private static String[] picture(Console console, Result result) {
        long sliceNanos = (result.endNanos() - result.startNanos()) / PICTURE_WIDTH;
        int kill = (int) ((result.killNanos() - result.startNanos()) / sliceNanos);
        String end = seconds(result.endNanos() - result.startNanos());
        String scale = "0 s" + " ".repeat(Math.max(0, kill - 3)) + "K";
        return new String[] {
            String.format("  %-8s ", result.kind().label())
                    + result.course().digits(result.startNanos(), sliceNanos, PICTURE_WIDTH),
            console.dim(" ".repeat(11)
                    + scale
                    + " ".repeat(Math.max(1, PICTURE_WIDTH - scale.length() - end.length()))
                    + end)
        };
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void between(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }
}
