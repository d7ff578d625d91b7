package io.holdfast.lock.examples.cache;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.millis;

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
import java.util.Locale;
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

/** A cache of two values that belong together: many readers and one writer, once per way of locking. */
@Command(
        name = "readwrite",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header =
                "Many readers of a cache and one writer, in several processes: with a plain lock, and with a read/write lock.",
        description = {
            "Starts several Java processes full of readers, and one with the writer. The cache is two values in Redis that "
                    + "belong together; to read or to write them takes a moment. That is done without a lock, with a "
                    + "plain one, and with a read/write lock.",
            "",
            "Under the read/write lock readers read together. A writer that waits is passed by nobody who comes after it, so "
                    + "it waits for the readers that are there, and they are back as soon as it has written.",
            "",
            "Exit code: 0 if no reader under a lock has seen a half-written cache, else 1."
        })
public final class ReadWriteCommand implements Callable<Integer> {

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long LOOK_MILLIS = 100;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--readers",
            defaultValue = "16",
            description = "Readers, in all processes together (default: ${DEFAULT-VALUE}).")
    private int readers;

    @Option(
            names = "--processes",
            defaultValue = "4",
            description = "Java processes of readers (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(names = "--seconds", defaultValue = "3", description = "Length of each run (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--every",
            paramLabel = "MILLIS",
            defaultValue = "20",
            description = "The writer's pause between two writes (default: ${DEFAULT-VALUE}).")
    private long everyMillis;

    @Option(
            names = "--work",
            paramLabel = "MICROS",
            defaultValue = "1000",
            description = "How long a visit to the cache takes (default: ${DEFAULT-VALUE}).")
    private long workMicros;

    /** What came of one way of locking. */
    private record Result(CacheKind kind, Tally reads, Tally writes, double seconds) {}

    @Override
    public Integer call() throws InterruptedException {
        atLeast("--processes", processes, 1);
        atLeast("--readers", readers, processes);
        atLeast("--seconds", seconds, 1);
        atLeast("--every", everyMillis, 0);
        atLeast("--work", workMicros, 1);
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                JedisPool jedis = JedisConnections.open(URI.create(redis.url()), 1);
                ChildProcesses children = new ChildProcesses(console)) {
            console.print(readers + " readers in " + processes
                    + " Java processes, and a writer in another, which writes every " + everyMillis + " ms");
            for (int number = 0; number < processes; number++) {
                add(children, redis, readers / processes + (number < readers % processes ? 1 : 0));
            }
            add(children, redis, 0);
            for (ChildProcess child : children.all()) {
                child.answer(PATIENCE_MILLIS);
            }
            console.print("");
            List<Result> results = new ArrayList<>();
            for (CacheKind kind : CacheKind.values()) {
                results.add(run(console, kind, jedis, children.all()));
            }
            return conclude(console, results);
        }
    }

    private void add(ChildProcesses children, ExampleServer redis, int readersOfIt) {
        children.add(List.of(
                CacheProcessCommand.NAME,
                "--redis",
                redis.url(),
                "--readers",
                String.valueOf(readersOfIt),
                "--every",
                String.valueOf(everyMillis),
                "--work",
                String.valueOf(workMicros)));
    }

    private Result run(Console console, CacheKind kind, JedisPool jedis, List<ChildProcess> children)
            throws InterruptedException {
        String name = "cache-" + UUID.randomUUID().toString().substring(0, 8);
        Cache cache = new Cache(jedis, name, workMicros);
        cache.write("new");
        try {
            console.live("  " + kind.label() + ": warming up");
            order(children, "warm " + kind + " " + name);
            for (ChildProcess child : children) {
                child.answer(PATIENCE_MILLIS);
            }
            long millis = TimeUnit.SECONDS.toMillis(seconds);
            long startNanos = System.nanoTime();
            order(children, "run " + kind + " " + name + " " + millis);
            Tally reads = new Tally();
            Tally writes = new Tally();
            List<ChildProcess> busy = new ArrayList<>(children);
            while (!busy.isEmpty()) {
                long elapsedNanos = System.nanoTime() - startNanos;
                if (elapsedNanos > TimeUnit.MILLISECONDS.toNanos(millis + PATIENCE_MILLIS)) {
                    throw new IllegalStateException(
                            busy.size() + " processes did not end within " + Text.duration(elapsedNanos));
                }
                for (ChildProcess child : List.copyOf(busy)) {
                    if (child.hasAnswer()) {
                        Tally tally = Tally.ofLine(child.answer(PATIENCE_MILLIS).substring("done ".length()));
                        (child.number() > processes ? writes : reads).add(tally);
                        busy.remove(child);
                    }
                }
                console.live(String.format(
                        "  %-16s %s %s",
                        kind.label(), Text.bar(elapsedNanos / 1e6 / millis, 24), Text.seconds(elapsedNanos)));
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            return new Result(kind, reads, writes, seconds);
        } finally {
            console.endLive();
            cache.remove();
        }
    }

    private static void order(List<ChildProcess> children, String line) {
        children.forEach(child -> child.order(line));
    }

    private static int conclude(Console console, List<Result> results) {
        Table table = new Table("lock", "reads/s", "half-written", "reader p99", "writes", "writer p50", "longest");
        for (Result result : results) {
            int torn = result.reads().torn();
            table.row(
                    result.kind().label(),
                    count(Math.round(result.reads().visits() / result.seconds())),
                    new Table.Cell(count(torn), torn == 0 ? console::good : console::bad),
                    millis(result.reads().waits().percentile(99)),
                    count(result.writes().visits()),
                    millis(result.writes().waits().percentile(50)),
                    millis(result.writes().waits().max()));
        }
        console.print(table.lines());
        console.print("", "half-written: reads that found two versions; p50, p99, longest: waits, ms", "");
        results.forEach(result -> console.print(
                console.bold(result.kind().label()), "  " + result.kind().remark()));
        double plain = results.get(CacheKind.PLAIN.ordinal()).reads().visits();
        double shared = results.get(CacheKind.READ_WRITE.ordinal()).reads().visits();
        console.print(
                "",
                "reads under the read/write lock for each one under the plain lock: "
                        + String.format(Locale.ROOT, "%.1f", shared / Math.max(plain, 1)));
        boolean whole = results.stream()
                .filter(result -> result.kind() != CacheKind.NONE)
                .allMatch(result -> result.reads().torn() == 0);
        return whole ? 0 : 1;
    }

    private void atLeast(String option, long value, long least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
