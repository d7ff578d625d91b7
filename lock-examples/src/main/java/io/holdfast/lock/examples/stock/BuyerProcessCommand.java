package io.holdfast.lock.examples.stock;

import io.holdfast.lock.examples.JedisConnections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import redis.clients.jedis.JedisPool;

/**
 * One process full of buyers, started by {@code stock}. It obeys lines on standard input and answers on standard
 * output, and ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 * open RUN   -> opened           connects to the shop, and has warmed up
 * go         -> frozen STOCK*    just before this process is frozen
 *               done TALLY       all its buyers have gone home
 * </pre>
 */
@Command(name = BuyerProcessCommand.NAME, hidden = true, description = "One process of buyers, started by 'stock'.")
public final class BuyerProcessCommand implements Callable<Integer> {

    static final String NAME = "buyer-process";

    private static final int WARM_UP_VISITS = 50;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--buyers", required = true)
    private int buyers;

    @Option(names = "--clock-skew", required = true)
    private long clockSkewMillis;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (JedisPool jedis = JedisConnections.open(URI.create(redis), buyers + 1)) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                if (!order.startsWith("open ")) {
                    throw new IllegalArgumentException("order: '" + order + "' (expected: open RUN)");
                }
                Run run = Run.ofLine(order.substring("open ".length()));
                ShopSite site = new ShopSite(redis, jedis, run.name(), run.leaseMillis(), clockSkewMillis);
                try (Shop shop = run.kind().open(site)) {
                    warmUp(shop);
                    answer("opened");
                    if ("go".equals(orders.readLine())) {
                        answer("done "
                                + letBuyersIn(run, shop, new Ledger(site)).toLine());
                    }
                }
            }
        }
        return 0;
    }

    /** Has the classes loaded and compiled that all visits need, so that the first buyers are not slower than the rest. */
    private static void warmUp(Shop shop) throws InterruptedException {
        for (int visit = 0; visit < WARM_UP_VISITS; visit++) {
            shop.enter(System.nanoTime() + WARM_UP_NANOS).ifPresent(Shop.Visit::leave);
            shop.readStock();
        }
    }

    private Tally letBuyersIn(Run run, Shop shop, Ledger ledger) throws InterruptedException, ExecutionException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(run.limitMillis());
        Tally tally = new Tally();
        ExecutorService threads = Executors.newFixedThreadPool(buyers);
        try {
            List<Future<?>> visits = new ArrayList<>();
            for (int number = 0; number < buyers; number++) {
                visits.add(threads.submit(() -> {
                    new Buyer(run, shop, ledger, stock -> answer("frozen " + stock)).buyAll(deadlineNanos, tally);
                    return null;
                }));
            }
            for (Future<?> visit : visits) {
                visit.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return tally;
    }

    private synchronized void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
