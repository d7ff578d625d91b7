package io.holdfast.lock.examples.barrier;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.millis;
import static io.holdfast.lock.examples.console.Text.seconds;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RCountDownLatch;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets several processes meet at a latch, and kills one before it has counted. */
@Command(
        name = "barrier",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Several processes wait for each other at a count-down latch; one is killed.",
        description = {
            "Starts several Java processes. Each works for a while, counts the latch down, and awaits it: none may go on "
                    + "before all have done their work. One process is killed half-way, and never counts.",
            "",
            "The latch stays closed: nothing goes on too early. The command awaits it with a limit, learns that one count "
                    + "is missing, and starts another process for the work. When that has counted, all go on at once.",
            "",
            "Exit code: 0 if all went on, and none before the last count; else 1."
        })
public final class BarrierCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int BAR_WIDTH = 24;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--processes", defaultValue = "6", description = "Java processes (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--work",
            paramLabel = "MILLIS",
            defaultValue = "2000",
            description = "How long the last one works; the others finish before (default: ${DEFAULT-VALUE}).")
    private long workMillis;

    @Option(
            names = "--limit",
            paramLabel = "MILLIS",
            defaultValue = "3500",
            description = "How long the latch is awaited before the command looks who is missing (default: "
                    + "${DEFAULT-VALUE}).")
    private long limitMillis;

    private final List<Worker> workers = new ArrayList<>();
    private final Thread endWorkers = new Thread(this::endWorkers, "end-workers");
    private long startNanos;

    @Override
    public Integer call() throws InterruptedException {
        atLeast("--processes", processes, 2);
        atLeast("--work", workMillis, 1);
        atLeast("--limit", limitMillis, 1);
        Console console = server.console();
        Runtime.getRuntime().addShutdownHook(endWorkers);
        try (ExampleServer redis = server.open(console);
                LockClient client = LockClient.connect(redis.url())) {
            String name = "barrier-" + UUID.randomUUID().toString().substring(0, 8);
            RCountDownLatch latch = client.getCountDownLatch(name);
            try {
                return play(console, redis.url(), name, latch);
            } finally {
                console.endLive();
                latch.delete();
            }
        } finally {
            endWorkers();
            Runtime.getRuntime().removeShutdownHook(endWorkers);
        }
    }

    private int play(Console console, String redis, String name, RCountDownLatch latch) throws InterruptedException {
        latch.trySetCount(processes);
        console.print(processes + " Java processes, and a latch that waits for as many counts");
        console.live("  the processes start");
        for (int number = 1; number <= processes; number++) {
            start(console, redis, name, workMillis * number / processes);
        }
        for (Worker worker : workers) {
            worker.awaitReady();
        }
        startNanos = System.nanoTime();
        workers.forEach(worker -> worker.go(startNanos));
        Worker victim = workers.get(processes / 2);

        boolean opened = watch(console, latch, victim, TimeUnit.MILLISECONDS.toNanos(limitMillis));
        console.print("await(" + limitMillis + ", MILLISECONDS): " + opened + "; getCount(): " + latch.getCount()
                + ", process " + victim.number() + " is missing");
        if (workers.stream().anyMatch(Worker::isOn)) {
            console.print(console.bad("a process went on though a count is missing"));
            return 1;
        }
        Worker substitute = start(console, redis, name, victim.workMillis());
        substitute.awaitReady();
        substitute.go(System.nanoTime());
        console.print(at() + "process " + substitute.number() + " does its work");
        opened = watch(console, latch, victim, PATIENCE_NANOS);
        awaitAll();
        console.endLive();
        return conclude(console, opened);
    }

    private Worker start(Console console, String redis, String name, long work) {
        synchronized (workers) {
            Worker worker = Worker.start(workers.size() + 1, redis, name, work, console);
            workers.add(worker);
            return worker;
        }
    }

    /** Awaits the latch bit by bit, to show what goes on; kills the victim at half its work. */
    private boolean watch(Console console, RCountDownLatch latch, Worker victim, long limitNanos)
            throws InterruptedException {
        long endNanos = System.nanoTime() + limitNanos;
        while (System.nanoTime() - endNanos < 0) {
            if (latch.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            long now = System.nanoTime();
            for (Worker worker : workers) {
                worker.listen(now);
            }
            if (!victim.isKilled() && victim.isHalfDone(now)) {
                victim.kill();
                console.print(at() + "process " + victim.number() + " killed, half-way through its work");
            }
            show(console, latch);
        }
        return false;
    }

    private void show(Console console, RCountDownLatch latch) {
        long left = latch.getCount();
        console.live(String.format(
                "  %s %d of %d counted, %d missing  %6s",
                Text.bar(1 - left / (double) processes, BAR_WIDTH),
                processes - left,
                processes,
                left,
                seconds(System.nanoTime() - startNanos)));
    }

    private void awaitAll() throws InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (living().stream().anyMatch(worker -> !worker.isOn()) && System.nanoTime() - endNanos < 0) {
            long now = System.nanoTime();
            for (Worker worker : workers) {
                worker.listen(now);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private List<Worker> living() {
        return workers.stream().filter(worker -> !worker.isKilled()).toList();
    }

    private int conclude(Console console, boolean opened) {
        long lastCountNanos =
                living().stream().mapToLong(Worker::countedNanos).max().orElse(0);
        Table table = new Table("process", "work ms", "counted at ms", "waited ms", "went on at ms");
        for (Worker worker : workers) {
            table.row(
                    String.valueOf(worker.number()),
                    count(worker.workMillis()),
                    new Table.Cell(
                            worker.hasCounted() ? millis(worker.countedNanos() - startNanos) : "killed",
                            worker.hasCounted() ? text -> text : console::bad),
                    worker.isOn() ? millis(worker.onNanos() - worker.countedNanos()) : "-",
                    worker.isOn() ? millis(worker.onNanos() - startNanos) : "-");
        }
        console.print("");
        console.print(table.lines());
        boolean all = opened && living().stream().allMatch(Worker::isOn);
        boolean none = living().stream().allMatch(worker -> worker.onNanos() >= lastCountNanos);
        console.print(
                "",
                all && none
                        ? console.good("exact") + ": " + living().size()
                                + " processes went on, none before the last count"
                        : console.bad("wrong") + ": a process did not go on, or went on before the last count");
        return all && none ? 0 : 1;
    }

    private String at() {
        return "  " + seconds(System.nanoTime() - startNanos) + "  ";
    }

    private void endWorkers() {
        synchronized (workers) {
            workers.forEach(Worker::close);
        }
    }

    private void atLeast(String option, long value, long least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
