package io.holdfast.lock.examples.stock;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.millis;
import static io.holdfast.lock.examples.console.Text.plural;
import static io.holdfast.lock.examples.console.Text.signed;

import io.holdfast.lock.examples.ExampleServer;
import io.holdfast.lock.examples.ServerOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Samples;
import io.holdfast.lock.examples.console.Table;
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

/** Sells a small stock to many buyers in several processes, once per way of locking, and compares. */
@Command(
        name = "stock",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Many buyers, few items, several processes: which lock sells exactly the stock?",
        description = {
            "Starts several Java processes full of buyers. To buy, a buyer takes the lock, reads the stock from Redis, "
                    + "thinks for a moment, and writes the stock back lowered by one. That is done once without a "
                    + "lock, once per kind of home-made lock, and once with Holdfast.",
            "",
            "In the first round nothing goes wrong, except that the wall clocks of the processes differ. In the "
                    + "second round, a process whose buyer is in the shop is frozen (SIGSTOP) for longer than the "
                    + "lease, as by a long garbage collection.",
            "",
            "Exit code: 0 if Holdfast sold exactly the stock, else 1."
        })
public final class StockCommand implements Callable<Integer> {

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--items", defaultValue = "200", description = "Items in stock (default: ${DEFAULT-VALUE}).")
    private int items;

    @Option(
            names = "--buyers",
            defaultValue = "48",
            description = "Buyers, in all processes together (default: ${DEFAULT-VALUE}).")
    private int buyers;

    @Option(names = "--processes", defaultValue = "3", description = "Java processes (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "Buyers go home after this, in every run (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "1000",
            description = "Lease of all the locks (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--freezes",
            defaultValue = "2",
            description = "Freezes per run of the second round; 0 leaves the round out (default: ${DEFAULT-VALUE}).")
    private int freezes;

    @Option(
            names = "--freeze",
            paramLabel = "MILLIS",
            defaultValue = "1400",
            description = "How long a freeze lasts (default: ${DEFAULT-VALUE}).")
    private long freezeMillis;

    @Option(
            names = "--clock-skew",
            paramLabel = "MILLIS",
            defaultValue = "700",
            description = "How far the wall clocks of neighbouring processes differ (default: ${DEFAULT-VALUE}).")
    private long clockSkewMillis;

    @Option(
            names = "--think",
            paramLabel = "MICROS",
            defaultValue = "2000",
            description = "How long a buyer thinks, on average (default: ${DEFAULT-VALUE}).")
    private long thinkMicros;

    @Option(names = "--locks", split = ",", description = "Only these, of: ${COMPLETION-CANDIDATES} (default: all).")
    private List<ShopKind> kinds = List.of(ShopKind.values());

    @Override
    public Integer call() throws InterruptedException {
        validate();
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                Market market = new Market(redis.url(), console)) {
            describe(console);
            for (int number = 0; number < processes; number++) {
                market.addProcess(buyersOf(number), clockSkewOf(number));
            }
            console.heading("Round 1: nobody is frozen");
            List<Result> results = new ArrayList<>(round(console, market, 0));
            if (freezes > 0) {
                console.heading("Round 2: " + plural(freezes, "time")
                        + " the process of the buyer in the shop is frozen for " + freezeMillis + " ms");
                results.addAll(round(console, market, freezes));
            }
            return conclude(console, results);
        }
    }

    private List<Result> round(Console console, Market market, int freezesNow) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (ShopKind kind : kinds) {
            String name = "stock-" + UUID.randomUUID().toString().substring(0, 8);
            Run run = new Run(
                    kind,
                    name,
                    items,
                    leaseMillis,
                    thinkMicros,
                    TimeUnit.SECONDS.toMillis(seconds),
                    freezesNow,
                    freezesNow == 0 ? 0 : freezeMillis);
            results.add(market.run(run));
        }
        console.print(table(console, results));
        return results;
    }

    private void describe(Console console) {
        List<String> clocks = new ArrayList<>();
        for (int number = 0; number < processes; number++) {
            clocks.add(signed(clockSkewOf(number)) + " ms");
        }
        console.print(
                count(items) + " items, " + buyers + " buyers in " + processes + " Java processes; lease of every lock "
                        + leaseMillis + " ms",
                "wall clocks of the processes: " + String.join(", ", clocks));
    }

    private static String[] table(Console console, List<Result> results) {
        Table table = new Table("lock", "stock", "sold", "oversold", "sales/s", "wait p50", "p95", "p99", "max");
        for (Result result : results) {
            Samples waits = result.tally().waits();
            table.row(
                    result.run().kind().label(),
                    count(result.run().items()),
                    count(result.sold()),
                    new Table.Cell(signed(result.oversold()), result.isExact() ? console::good : console::bad),
                    count(Math.round(result.salesPerSecond())),
                    millis(waits.percentile(50)),
                    millis(waits.percentile(95)),
                    millis(waits.percentile(99)),
                    millis(waits.max()));
        }
        return table.lines();
    }

    private int conclude(Console console, List<Result> results) {
        console.print("", "oversold: sales beyond what the stock went down by; wait: for one's turn, ms", "");
        int holdfastOversold = 0;
        for (ShopKind kind : kinds) {
            List<Result> ofKind = results.stream()
                    .filter(result -> result.run().kind() == kind)
                    .toList();
            int oversold = ofKind.stream().mapToInt(Result::oversold).sum();
            String verdict = oversold == 0 ? console.good("exact") : console.bad(count(oversold) + " oversold");
            console.print(console.bold(kind.label()) + ": " + verdict, "  " + kind.remark());
            notes(ofKind).forEach(note -> console.print("  " + note));
            holdfastOversold += kind == ShopKind.HOLDFAST ? Math.abs(oversold) : 0;
        }
        return holdfastOversold == 0 ? 0 : 1;
    }

    /** What the table has no column for. */
    private static List<String> notes(List<Result> results) {
        int refused =
                results.stream().mapToInt(result -> result.tally().refused()).sum();
        int faults =
                results.stream().mapToInt(result -> result.tally().faults()).sum();
        int left = results.stream().mapToInt(Result::left).sum();
        List<String> notes = new ArrayList<>();
        if (refused > 0) {
            notes.add(plural(refused, "late write") + " refused");
        }
        if (faults > 0) {
            notes.add(plural(faults, "call") + " failed and was tried again");
        }
        if (left > 0) {
            notes.add(plural(left, "item") + " unsold when time was up");
        }
        return notes;
    }

    private int buyersOf(int number) {
        return buyers / processes + (number < buyers % processes ? 1 : 0);
    }

    /** The clocks lie evenly around the true time. */
    private long clockSkewOf(int number) {
        return clockSkewMillis * (2L * number - (processes - 1)) / 2;
    }

    private void validate() {
        atLeast("--items", items, 1);
        atLeast("--processes", processes, 1);
        atLeast("--buyers", buyers, processes);
        atLeast("--seconds", seconds, 1);
        atLeast("--lease", leaseMillis, 100);
        atLeast("--freezes", freezes, 0);
        atLeast("--freeze", freezeMillis, 1);
        atLeast("--clock-skew", clockSkewMillis, 0);
        atLeast("--think", thinkMicros, 1);
    }

    private void atLeast(String option, long value, long least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
