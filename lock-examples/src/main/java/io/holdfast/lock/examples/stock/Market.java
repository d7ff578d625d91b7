package io.holdfast.lock.examples.stock;

import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.ChildProcesses;
import io.holdfast.lock.examples.JedisConnections;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.JedisPool;

/** The processes of buyers and the shops that are opened for them, one after the other. */
final class Market implements AutoCloseable {

    private static final long OPEN_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long LOOK_MILLIS = 100;

    private final String redis;
    private final Console console;
    private final JedisPool jedis;
    private final ChildProcesses processes;

    Market(String redis, Console console) {
        this.redis = redis;
        this.console = console;
        this.jedis = JedisConnections.open(URI.create(redis), 4);
        this.processes = new ChildProcesses(console);
    }

    /** Starts one more process. */
    void addProcess(int buyers, long clockSkewMillis) {
        processes.add(List.of(
                BuyerProcessCommand.NAME,
                "--redis",
                redis,
                "--buyers",
                String.valueOf(buyers),
                "--clock-skew",
                String.valueOf(clockSkewMillis)));
    }

    Result run(Run run) throws InterruptedException {
        ShopSite site = new ShopSite(redis, jedis, run.name(), run.leaseMillis(), 0);
        Ledger ledger = new Ledger(site);
        try (Shop shop = run.kind().open(site)) {
            console.live("  " + run.kind().label() + ": the shop opens");
            stock(shop, run.items());
            for (ChildProcess process : processes.all()) {
                process.order("open " + run.toLine());
            }
            for (ChildProcess process : processes.all()) {
                process.answer(OPEN_TIMEOUT_MILLIS);
            }
            long startNanos = System.nanoTime();
            for (ChildProcess process : processes.all()) {
                process.order("go");
            }
            Tally tally = watch(run, shop, ledger, startNanos);
            long elapsedNanos = System.nanoTime() - startNanos;
            return new Result(run, ledger.sold(), shop.readStock(), elapsedNanos, tally);
        } finally {
            console.endLive();
            ledger.sweep();
        }
    }

    /** Shows what goes on until all buyers have gone home; returns what they counted. */
    private Tally watch(Run run, Shop shop, Ledger ledger, long startNanos) throws InterruptedException {
        long limitNanos = TimeUnit.MILLISECONDS.toNanos(run.limitMillis() + run.freezeMillis() + OPEN_TIMEOUT_MILLIS);
        Tally tally = new Tally();
        List<ChildProcess> busy = new ArrayList<>(processes.all());
        Frozen frozen = new Frozen(run.freezeMillis());
        while (!busy.isEmpty()) {
            for (ChildProcess process : List.copyOf(busy)) {
                while (process.hasAnswer()) {
                    String answer = process.answer(OPEN_TIMEOUT_MILLIS);
                    if (answer.startsWith("done ")) {
                        tally.add(Tally.ofLine(answer.substring("done ".length())));
                        busy.remove(process);
                    } else {
                        frozen.begin(process.number());
                    }
                }
            }
            long elapsedNanos = System.nanoTime() - startNanos;
            if (elapsedNanos > limitNanos) {
                throw new IllegalStateException(
                        busy.size() + " processes of buyers did not go home within " + Text.duration(limitNanos));
            }
            int left = shop.readStock();
            console.live(String.format(
                    "  %-14s %s %6s sold, %3d left  %6s%s",
                    run.kind().label(),
                    Text.bar(1 - left / (double) run.items(), 12),
                    Text.count(ledger.sold()),
                    left,
                    Text.seconds(elapsedNanos),
                    frozen.text()));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return tally;
    }

    private static void stock(Shop shop, int items) throws InterruptedException {
        Shop.Visit visit = shop.enter(System.nanoTime() + TimeUnit.SECONDS.toNanos(10))
                .orElseThrow(() -> new IllegalStateException("a new shop is locked"));
        visit.writeStock(items);
        visit.leave();
    }

    @Override
    public void close() {
        processes.close();
        jedis.close();
    }

    /** Which process is frozen now, as far as the parent can tell. */
    private static final class Frozen {

        private final long forNanos;
        private int number;
        private long sinceNanos;

        Frozen(long forMillis) {
            this.forNanos = TimeUnit.MILLISECONDS.toNanos(forMillis);
        }

        void begin(int frozenNumber) {
            number = frozenNumber;
            sinceNanos = System.nanoTime();
        }

        String text() {
            boolean now = number > 0 && System.nanoTime() - sinceNanos < forNanos;
            return now ? "  process " + number + " frozen" : "";
        }
    }
}
