package io.holdfast.lock.examples.failover;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.plural;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.examples.ScreenOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
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

/** Sells through the death of a primary: some locks are lost with it, and no sale is. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "A primary dies while its locks are held; Sentinels replace it, and no sale is lost.",
        description = {
            "Starts a primary, two replicas and three Sentinels for the locks, and a server of its own for the stock. "
                    + "Buyers in several processes take the lock of an article, read its stock, think, and write it "
                    + "back lowered by one, with the token of their lock.",
            "",
            "Then a slow buyer locks each article. Replication is asynchronous, so of the last of these locks the "
                    + "replicas hear nothing before the primary is killed: those locks are lost in the failover, and "
                    + "their owners are told. The slow buyers write all the same, when others have bought in between; "
                    + "the stock refuses them, since it has seen newer tokens.",
            "",
            "With --guard no lock is granted after the kill before all leases of before are over, and buyers look whether "
                    + "they still have the lock before they write: then no token is needed.",
            "",
            "Exit code: 0 if no update was lost, else 1."
        })
public final class FailoverCommand implements Callable<Integer> {

    private static final int STOCK = 20_000;

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--articles", defaultValue = "6", description = "Articles (default: ${DEFAULT-VALUE}).")
    private int articles;

    @Option(
            names = "--processes",
            defaultValue = "3",
            description = "Java processes with a buyer of each article (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--sale",
            paramLabel = "MILLIS",
            defaultValue = "3000",
            description = "How long buyers buy before and after (default: ${DEFAULT-VALUE}).")
    private long saleMillis;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "15000",
            description = "The lease of every lock, which the watchdog renews (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--down-after",
            paramLabel = "MILLIS",
            defaultValue = "1500",
            description = "Without an answer for so long a Sentinel finds a server down (default: ${DEFAULT-VALUE}).")
    private long downAfterMillis;

    @Option(
            names = "--think",
            paramLabel = "MICROS",
            defaultValue = "20000",
            description = "How long a buyer thinks, on average (default: ${DEFAULT-VALUE}).")
    private long thinkMicros;

    @Option(names = "--unfenced", description = "Let the stock take any token, to see what is lost then.")
    private boolean unfenced;

    @Option(
            names = "--guard",
            description =
                    "Use the failover guard, and have buyers look before they write; with --unfenced, it alone keeps "
                            + "them apart.")
    private boolean guarded;

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
        List<String> sold = Shelf.ARTICLES.subList(0, articles);
        console.live("starting a primary, two replicas and three Sentinels");
        try (Servers servers = Servers.start(Duration.ofMillis(downAfterMillis));
                Crew crew = new Crew();
                LockClient client = LockClient.connect(
                        servers.stockUrl(),
                        ClientOptions.builder().clientName("stock").build())) {
            console.endLive();
            console.print(servers.described(!unfenced).toArray(String[]::new));
            List<FencedValue> stocks = sold.stream().map(client::getFencedValue).toList();
            stocks.forEach(stock -> stock.set(String.valueOf(STOCK), 1));
            if (guarded) {
                console.print("guard: for " + Text.duration(pause().toNanos())
                        + ", and a little more, a new primary grants nothing");
            }
            console.live("starting " + processes + " processes of buyers"
                    + (guarded ? "; the first use of a primary begins with a pause" : ""));
            crew.start(processes, buyers(servers, sold), console);
            console.endLive();
            console.heading(count((long) articles * processes) + " buyers in " + processes + " processes buy "
                    + articles + " articles, of which there are " + count(STOCK) + " each");
            try (Gate gate =
                    guarded ? Gate.open(servers.lockUrl(), Guard.options(Duration.ofMillis(leaseMillis))) : null) {
                Play play = new Play(console, servers, crew, sold, gate, pause());
                play.perform(saleMillis);
                return conclude(console, play, crew, stocks, guarded);
            }
        }
    }

    private Duration pause() {
        return guarded ? Guard.pause(Duration.ofMillis(leaseMillis)) : Duration.ZERO;
    }

    private List<String> buyers(Servers servers, List<String> sold) {
        List<String> command = new ArrayList<>(List.of(
                FailoverBuyersCommand.NAME,
                "--locks",
                servers.lockUrl(),
                "--stock",
                servers.stockUrl(),
                "--articles",
                String.join(",", sold),
                "--lease",
                String.valueOf(leaseMillis),
                "--think",
                String.valueOf(thinkMicros)));
        if (unfenced) {
            command.add("--unfenced");
        }
        if (guarded) {
            command.add("--guard");
        }
        if (log) {
            command.add("--log");
        }
        return command;
    }

    private static int conclude(Console console, Play play, Crew crew, List<FencedValue> stocks, boolean guarded) {
        console.heading("The run: how many Sentinels name each server the primary; x is a dead one");
        console.print(play.picture().toArray(String[]::new));
        if (guarded) {
            console.print("guard: p is the pause, x no answer, n too few Sentinels that name the primary");
        }
        Table table = new Table("article", "granted", "lock at the kill", "slow write", "sold", "left", "updates lost");
        long lostUpdates = 0;
        Counts all = new Counts();
        for (FencedValue stock : stocks) {
            Counts counts = crew.of(stock.name());
            all.add(counts);
            int left = stock.get().map(Integer::parseInt).orElse(0);
            long lost = counts.sold() - (STOCK - left);
            lostUpdates += Math.abs(lost);
            String loss = play.loss(stock.name());
            table.row(
                    stock.name(),
                    count(counts.granted()),
                    new Table.Cell(loss.isEmpty() ? "kept" : loss, loss.isEmpty() ? console::good : console::bad),
                    play.lateWrite(stock.name()),
                    count(counts.sold()),
                    count(left),
                    new Table.Cell(count(lost), lost == 0 ? console::good : console::bad));
        }
        console.print("");
        console.print(table.lines());
        console.print(
                "",
                plural(all.lost(), "lock") + " lost, of which their owners were told; " + plural(all.failed(), "call")
                        + " failed",
                plural(all.refused(), "write") + " refused by the stock, which had seen a newer token",
                lostUpdates == 0
                        ? console.good("every piece that was sold is missing in the stock, and no other")
                        : console.bad(plural(lostUpdates, "update") + " lost"));
        return lostUpdates == 0 ? 0 : 1;
    }

    private void validate() {
        between("--articles", articles, 2, Shelf.ARTICLES.size());
        between("--processes", processes, 2, 16);
        between("--sale", saleMillis, 1, 10_000);
        between("--lease", leaseMillis, LockOptions.MIN_WATCHDOG_LEASE.toMillis(), 600_000);
        between("--down-after", downAfterMillis, 500, 60_000);
        between("--think", thinkMicros, 1_000, 1_000_000);
    }

    private void between(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }
}
