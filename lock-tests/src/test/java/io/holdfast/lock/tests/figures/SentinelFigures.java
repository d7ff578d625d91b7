package io.holdfast.lock.tests.figures;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * How long after the primary's {@code kill -9} locks are granted again, by Holdfast and by Redisson on the same Sentinel group; and
 * for how long none is granted in a planned failover, by {@code SENTINEL FAILOVER}.
 *
 * <p>The clock that counts starts at the first Sentinel that names the new primary: what comes before is the Sentinels' own
 * time. Threads of both clients take and give back locks of their own all the while, with the default options, and the first
 * grant after that counts. Each round has a new group.
 */
public final class SentinelFigures {

    private static final int CALLERS = 4;
    private static final long LONGEST_SECONDS = 60;
    /** How many locks are wanted in a planned failover. */
    private static final int LOCKS = 4;

    private static final long SETTLED_SECONDS = 3;
    private static final double MILLIS = 1e6;

    private final Percentiles named = new Percentiles();
    private final Percentiles ours = new Percentiles();
    private final Percentiles theirs = new Percentiles();

    private SentinelFigures() {}

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        System.out.println(measure(rounds));
        System.out.println(measurePlanned(rounds));
        // Redisson's clients leave threads behind when a server of theirs is gone.
        System.exit(0);
    }

    /** Some rounds; returns the table. */
    public static String measure(int rounds) throws InterruptedException {
        SentinelFigures figures = new SentinelFigures();
        for (int round = 0; round < rounds; round++) {
            figures.round();
        }
        return figures.table(rounds);
    }

    /** Some planned failovers; returns the table. */
    public static String measurePlanned(int rounds) throws InterruptedException {
        SentinelFigures figures = new SentinelFigures();
        for (int round = 0; round < rounds; round++) {
            figures.plannedRound();
        }
        FigureTable table = new FigureTable("ms, " + rounds + " times SENTINEL FAILOVER", "median", "worst", "goal");
        row(table, "from the command to the first Sentinel's word", figures.named, "");
        row(table, "longest time without a grant beyond that, Holdfast", figures.ours, "1,000");
        row(table, "longest time without a grant beyond that, Redisson 4.7.0", figures.theirs, "");
        return table.toString();
    }

    /** Locks that two clients want all the time: what the old primary has released in its last second is held at the new one. */
    private void plannedRound() throws InterruptedException {
        try (SentinelGroup group = SentinelGroup.start();
                LockClient client = LockClient.connect(group.url());
                LockClient another = LockClient.connect(group.url())) {
            RedissonClient redisson = redisson(group);
            List<Grants> byUs = new ArrayList<>();
            List<Grants> byThem = new ArrayList<>();
            try {
                for (int i = 0; i < LOCKS; i++) {
                    byUs.add(new Grants(client.getLock("ours" + i), another.getLock("ours" + i)));
                    byThem.add(new Grants(redisson.getLock("theirs" + i)));
                }
                for (Grants each : byUs) {
                    each.awaitAfter(System.nanoTime());
                }
                RedisServer old = group.primary();
                try (FirstWord word = new FirstWord(group, old)) {
                    long askedNanos = System.nanoTime();
                    group.failOver();
                    long namedNanos = word.await();
                    named.add(namedNanos - askedNanos);
                    ours.add(longest(byUs, namedNanos) - (namedNanos - askedNanos));
                    theirs.add(longest(byThem, namedNanos) - (namedNanos - askedNanos));
                }
            } finally {
                for (Grants each : byUs) {
                    each.close();
                }
                for (Grants each : byThem) {
                    each.close();
                }
                redisson.shutdown();
            }
        }
    }

    /** The longest time for which any of these locks was not granted, up to some seconds after the Sentinel's word. */
    private static long longest(List<Grants> all, long namedNanos) throws InterruptedException {
        long longestNanos = 0;
        for (Grants each : all) {
            each.awaitAfter(namedNanos + TimeUnit.SECONDS.toNanos(SETTLED_SECONDS));
            longestNanos = Math.max(longestNanos, each.longestGap());
        }
        return longestNanos;
    }

    private void round() throws InterruptedException {
        try (SentinelGroup group = SentinelGroup.builder()
                        .downAfter(Duration.ofMillis(1_500))
                        .start();
                LockClient client = LockClient.connect(group.url())) {
            RedissonClient redisson = redisson(group);
            try (Grants byUs = new Grants(client.getLock("ours"));
                    Grants byThem = new Grants(redisson.getLock("theirs"))) {
                byUs.awaitAfter(System.nanoTime());
                byThem.awaitAfter(System.nanoTime());
                RedisServer old = group.primary();
                try (FirstWord word = new FirstWord(group, old)) {
                    long killedNanos = System.nanoTime();
                    old.kill();
                    long namedNanos = word.await();
                    named.add(namedNanos - killedNanos);
                    // A grant that is noted before the Sentinel's word is seen here would be by the new primary too.
                    ours.add(Math.max(
                            0, byUs.awaitAfter(killedNanos + TimeUnit.MILLISECONDS.toNanos(100)) - namedNanos));
                    theirs.add(Math.max(
                            0, byThem.awaitAfter(killedNanos + TimeUnit.MILLISECONDS.toNanos(100)) - namedNanos));
                }
            } finally {
                redisson.shutdown();
            }
        }
    }

    private static RedissonClient redisson(SentinelGroup group) {
        Config config = new Config();
        var sentinels = config.useSentinelServers().setMasterName(group.name());
        group.sentinels().forEach(sentinel -> sentinels.addSentinelAddress(sentinel.url()));
        return Redisson.create(config);
    }

    private String table(int rounds) {
        FigureTable table = new FigureTable("ms, " + rounds + " times kill -9", "median", "worst", "goal");
        row(table, "from the kill to the first Sentinel's word", named, "");
        row(table, "from there to the first grant, Holdfast", ours, "300");
        row(table, "from there to the first grant, Redisson 4.7.0", theirs, "");
        return table.toString();
    }

    private static void row(FigureTable table, String what, Percentiles times, String goal) {
        table.row(what, millis(times.percentile(50)), millis(times.percentile(100)), goal);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.0f", nanos / MILLIS);
    }

    /** Waits for something that other threads bring about. */
    private static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("not within " + LONGEST_SECONDS + " s: " + what);
            }
            TimeUnit.MICROSECONDS.sleep(200);
        }
    }

    /** Threads that take a lock and give it back, whatever their calls throw, and note when they are granted it. */
    private static final class Grants implements AutoCloseable {

        private final Lock first;
        private final List<Long> grantedNanos = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean stopped;

        /** @param locks one lock, of one client or of several */
        Grants(Lock... locks) {
            this.first = locks[0];
            for (int i = 0; i < CALLERS; i++) {
                Lock lock = locks[i % locks.length];
                Thread thread = new Thread(() -> work(lock), "grants");
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private void work(Lock lock) {
            while (!stopped) {
                try {
                    if (lock.tryLock(2, TimeUnit.SECONDS)) {
                        note(System.nanoTime());
                        lock.unlock();
                    }
                } catch (InterruptedException ended) {
                    return;
                } catch (RuntimeException outage) {
                    pause();
                }
            }
        }

        /** What a call says while no primary is there is of no interest here, but it may say so at once. */
        private static void pause() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }

        private synchronized void note(long nanos) {
            grantedNanos.add(nanos);
        }

        private synchronized long firstAfter(long nanos) {
            return grantedNanos.stream()
                    .filter(granted -> granted - nanos > 0)
                    .findFirst()
                    .orElse(nanos);
        }

        /** When the first grant after this moment was. */
        long awaitAfter(long nanos) throws InterruptedException {
            await(() -> firstAfter(nanos) != nanos, "a grant of " + first);
            return firstAfter(nanos);
        }

        /** The longest time between two grants. */
        synchronized long longestGap() {
            long longestNanos = 0;
            for (int i = 1; i < grantedNanos.size(); i++) {
                longestNanos = Math.max(longestNanos, grantedNanos.get(i) - grantedNanos.get(i - 1));
            }
            return longestNanos;
        }

        @Override
        public void close() throws InterruptedException {
            stopped = true;
            for (Thread thread : threads) {
                thread.interrupt();
                thread.join(TimeUnit.SECONDS.toMillis(LONGEST_SECONDS));
            }
        }
    }

    /** When the first Sentinel named another primary: each is asked all the time, over a connection of its own. */
    private static final class FirstWord implements AutoCloseable {

        private static final long NONE = Long.MIN_VALUE;

        private final AtomicLong heardNanos = new AtomicLong(NONE);
        private final CountDownLatch asking;
        private final String oldPort;
        private final String name;
        private volatile boolean stopped;

        FirstWord(SentinelGroup group, RedisServer old) throws InterruptedException {
            oldPort = Integer.toString(old.port());
            name = group.name();
            asking = new CountDownLatch(group.sentinels().size());
            for (RedisServer sentinel : group.sentinels()) {
                Thread thread = new Thread(() -> ask(sentinel), "first word");
                thread.setDaemon(true);
                thread.start();
            }
            asking.await();
        }

        private void ask(RedisServer sentinel) {
            try (RawRedis raw = sentinel.connect()) {
                asking.countDown();
                while (!stopped && heardNanos.get() == NONE) {
                    if (!raw.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
                            .get(1)
                            .equals(oldPort)) {
                        heardNanos.compareAndSet(NONE, System.nanoTime());
                    }
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            } catch (InterruptedException | RedisErrorReply | UncheckedIOException ended) {
                stopped = true;
            }
        }

        long await() throws InterruptedException {
            SentinelFigures.await(() -> heardNanos.get() != NONE, "a Sentinel that names another primary");
            return heardNanos.get();
        }

        @Override
        public void close() {
            stopped = true;
        }
    }
}
