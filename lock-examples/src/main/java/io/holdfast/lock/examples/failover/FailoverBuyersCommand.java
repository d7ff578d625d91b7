package io.holdfast.lock.examples.failover;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One process of buyers, one for each article, started by {@code failover}. It obeys lines on standard input and says on
 * standard output what happens, and ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 *             ready                     connected, and has warmed up
 * go       -> so-far COUNTS*            what all its buyers have counted, ten times a second
 *             lost ARTICLE REASON       a buyer was told that its lock is lost
 *             stopped ARTICLE           a slow buyer has lost its lock, looks, and does not write
 *             refused ARTICLE SALES     a write came too late: it would have undone so many sales
 * rest A   -> rests ARTICLE             its buyer is about to lock it, and waits for the next order
 * slow A   -> slow ARTICLE TOKEN        a buyer of it has the lock, and sleeps
 * quick A                               no more buyer of it sleeps
 * wake     -> wrote ARTICLE SALES       a buyer who slept wrote the stock, and undid so many sales; or refused
 * first A  -> granted ARTICLE           once, at the next grant
 * stop     -> done ARTICLE=COUNTS*      all its buyers have gone home
 * </pre>
 */
@Command(
        name = FailoverBuyersCommand.NAME,
        hidden = true,
        description = "One process of buyers, started by 'failover'.")
public final class FailoverBuyersCommand implements Callable<Integer> {

    static final String NAME = "failover-buyers";

    private static final int WARM_UPS = 20;
    private static final long SO_FAR_MILLIS = 100;

    @Option(names = "--locks", required = true)
    private String lockUrl = "";

    @Option(names = "--stock", required = true)
    private String stockUrl = "";

    @Option(names = "--articles", required = true, split = ",")
    private List<String> articles = List.of();

    @Option(names = "--lease", required = true)
    private long leaseMillis;

    @Option(names = "--think", required = true)
    private long thinkMicros;

    @Option(names = "--unfenced")
    private boolean unfenced;

    @Option(names = "--guard")
    private boolean guarded;

    @Option(names = "--log")
    private boolean log;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!log) {
            ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.ERROR);
        }
        Duration lease = Duration.ofMillis(leaseMillis);
        LockOptions ofLocks = LockOptions.builder().watchdogLease(lease).build();
        ClientOptions behindSentinels = guarded
                ? Guard.options(lease).build()
                : ClientOptions.builder().lockOptions(ofLocks).build();
        // It does not fail, so whether a write was accepted has to be known even on a busy machine.
        ClientOptions ofTheStock =
                ClientOptions.builder().commandTimeout(Duration.ofSeconds(20)).build();
        try (LockClient locks = LockClient.connect(lockUrl, behindSentinels);
                LockClient stocks = LockClient.connect(stockUrl, ofTheStock)) {
            List<Shelf> shelves = articles.stream()
                    .map(article ->
                            new Shelf(article, locks.getLock(article), stocks.getFencedValue(article), !unfenced))
                    .toList();
            warmUp(shelves);
            say("ready");
            serve(shelves);
        }
        return 0;
    }

    /** Has the classes loaded that all buyers need. */
    private static void warmUp(List<Shelf> shelves) throws InterruptedException {
        for (int visit = 0; visit < WARM_UPS; visit++) {
            Shelf shelf = shelves.get(visit % shelves.size());
            shelf.lock().acquire().close();
            shelf.look();
        }
    }

    private void serve(List<Shelf> shelves) throws IOException, InterruptedException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (!"go".equals(orders.readLine())) {
            return;
        }
        Shopping shopping = new Shopping(this::say);
        Map<String, Counts> counts = new LinkedHashMap<>();
        List<Shopper> shoppers = new ArrayList<>();
        for (Shelf shelf : shelves) {
            counts.put(shelf.article(), new Counts());
            shoppers.add(new Shopper(shelf, shopping, counts.get(shelf.article()), thinkMicros, guarded));
        }
        shoppers.forEach(Thread::start);
        ScheduledExecutorService reports = Executors.newSingleThreadScheduledExecutor();
        try {
            reports.scheduleAtFixedRate(
                    () -> say("so-far " + sum(counts).toLine()), SO_FAR_MILLIS, SO_FAR_MILLIS, TimeUnit.MILLISECONDS);
            while (!shopping.isOver()) {
                String order = orders.readLine();
                if (order == null) {
                    return;
                }
                shopping.obey(order);
            }
            for (Shopper shopper : shoppers) {
                shopper.join();
            }
        } finally {
            reports.shutdownNow();
        }
        StringJoiner done = new StringJoiner(" ");
        counts.forEach((article, counted) -> done.add(article + "=" + counted.toLine()));
        say("done " + done);
    }

    private static Counts sum(Map<String, Counts> counts) {
        Counts sum = new Counts();
        counts.values().forEach(sum::add);
        return sum;
    }

    private synchronized void say(String line) {
        answers.println(line);
        answers.flush();
    }
}
