package io.holdfast.lock.tests.figures;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * What a lock over three nodes costs in time, measured against the lock on one node, against itself with one of the
 * nodes hung, against bare sockets that send the same scripts, and against Redisson; everything in one run, the rounds
 * of all taking turns. The servers are on this machine. Run by
 * {@code lock-tests/redlock-figures [rounds] [locks in each round]}.
 */
public final class RedLockFigures {

    private static final int NODES = 3;
    private static final int HUNG_REDISSON_LOCKS = 3;
    private static final int WARM_UP = 5_000;
    private static final double MICROS = 1e3;

    private final int rounds;
    private final int locks;

    private final Series single = new Series("Holdfast, one node");
    private final Series healthy = new Series("Holdfast, 3 nodes");
    private final Series hung = new Series("Holdfast, 3 nodes, one hung");
    private final Series bareSingle = new Series("bare sockets, one node");
    private final Series bareHealthy = new Series("bare sockets, 3 nodes");
    private final Series peerSingle = new Series("Redisson, one node");
    private final Series peerHealthy = new Series("Redisson, 3 nodes");
    private final Series peerHung = new Series("Redisson, 3 nodes, one hung");

    private RedLockFigures(int rounds, int locks) {
        this.rounds = rounds;
        this.locks = locks;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 40;
        int locks = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 250;
        new RedLockFigures(rounds, locks).measure();
        // Redisson's clients leave threads behind when a server of theirs hangs.
        System.exit(0);
    }

    private void measure() throws InterruptedException {
        List<RedisServer> nodes =
                IntStream.range(0, NODES).mapToObj(node -> RedisServer.start()).toList();
        List<RedissonClient> peers =
                nodes.stream().map(RedLockFigures::redisson).toList();
        try (LockClient one = LockClient.connect(nodes.get(0).url());
                LockClient three = LockClient.connectQuorum(
                        nodes.stream().map(RedisServer::url).toArray(String[]::new));
                BareLock bareOne = new BareLock(nodes.subList(0, 1));
                BareLock bareThree = new BareLock(nodes)) {
            RedisServer victim = nodes.get(NODES - 1);
            Lock onOne = one.getLock("one");
            Lock onThree = three.getLock("three");
            Lock peerOnOne = peers.get(0).getLock("peer-one");
            Lock peerOnThree = new RedissonRedLock(
                    peers.stream().map(peer -> peer.getLock("peer-three")).toArray(RLock[]::new));
            warmUp(onOne, onThree, peerOnOne, peerOnThree);
            new Series("warming up").run(bareOne::lock, bareOne::unlock, WARM_UP);
            new Series("warming up").run(bareThree::lock, bareThree::unlock, WARM_UP);
            for (int round = 0; round < rounds; round++) {
                single.run(onOne, locks);
                healthy.run(onThree, locks);
                bareSingle.run(bareOne::lock, bareOne::unlock, locks);
                bareHealthy.run(bareThree::lock, bareThree::unlock, locks);
                peerSingle.run(peerOnOne, locks);
                peerHealthy.run(peerOnThree, locks);
                victim.pause();
                hung.run(onThree, locks);
                victim.resume();
                settle(victim);
            }
            victim.pause();
            peerHung.run(peerOnThree, HUNG_REDISSON_LOCKS);
            victim.resume();
            print();
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    private void warmUp(Lock... all) {
        for (Lock lock : all) {
            new Series("warming up").run(lock, WARM_UP);
        }
    }

    /** Waits until a node that hung has worked off what it was sent meanwhile, and nothing of it is left. */
    private static void settle(RedisServer node) throws InterruptedException {
        try (RawRedis raw = node.connect()) {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!raw.list("KEYS", "*three*").isEmpty() && System.nanoTime() < deadlineNanos) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private static RedissonClient redisson(RedisServer node) {
        Config config = new Config();
        config.useSingleServer().setAddress(node.url());
        return Redisson.create(config);
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nuncontended, 1 thread, servers on this machine; %d rounds of %d locks each, taking turns; us%n%n",
                rounds,
                locks);
        FigureTable table = new FigureTable(
                "lock", "lock p50", "lock p99", "lock + unlock p50", "lock + unlock p99", "worst lock", "samples");
        for (Series series :
                List.of(single, healthy, hung, bareSingle, bareHealthy, peerSingle, peerHealthy, peerHung)) {
            table.row(
                    series.name,
                    micros(series.lock.percentile(50)),
                    micros(series.lock.percentile(99)),
                    micros(series.both.percentile(50)),
                    micros(series.both.percentile(99)),
                    micros(series.lock.percentile(100)),
                    String.valueOf(series.lock.size()));
        }
        System.out.println(table);
        FigureTable ratios = new FigureTable("ratio, the median of all rounds", "p50", "p99", "goal");
        ratios.row(
                "3 nodes : one node, lock + unlock",
                ratio(healthy.bothByRound, single.bothByRound, 50),
                ratio(healthy.bothByRound, single.bothByRound, 99),
                "2");
        ratios.row(
                "3 nodes : one node, lock + unlock, bare sockets",
                ratio(bareHealthy.bothByRound, bareSingle.bothByRound, 50),
                ratio(bareHealthy.bothByRound, bareSingle.bothByRound, 99),
                "");
        ratios.row(
                "one of 3 hung : all healthy, lock",
                ratio(hung.lockByRound, healthy.lockByRound, 50),
                ratio(hung.lockByRound, healthy.lockByRound, 99),
                "1.2");
        ratios.row(
                "Holdfast : bare sockets, one node, lock + unlock",
                ratio(single.bothByRound, bareSingle.bothByRound, 50),
                ratio(single.bothByRound, bareSingle.bothByRound, 99),
                "");
        ratios.row(
                "Holdfast : bare sockets, 3 nodes, lock + unlock",
                ratio(healthy.bothByRound, bareHealthy.bothByRound, 50),
                ratio(healthy.bothByRound, bareHealthy.bothByRound, 99),
                "");
        ratios.row(
                "Redisson : Holdfast, 3 nodes, lock + unlock",
                ratio(peerHealthy.bothByRound, healthy.bothByRound, 50),
                ratio(peerHealthy.bothByRound, healthy.bothByRound, 99),
                "");
        System.out.println(ratios);
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,.0f", nanos / MICROS);
    }

    /** Each round is compared with its neighbour, so that what else this machine does touches both. */
    private static String ratio(List<Percentiles> of, List<Percentiles> to, double percent) {
        double[] ratios = IntStream.range(0, of.size())
                .mapToDouble(round -> (double) of.get(round).percentile(percent)
                        / to.get(round).percentile(percent))
                .sorted()
                .toArray();
        return String.format(Locale.ROOT, "%.2f", ratios[ratios.length / 2]);
    }

    /** The times of one kind of lock. */
    private static final class Series {

        private final String name;
        private final Percentiles lock = new Percentiles();
        private final Percentiles both = new Percentiles();
        private final List<Percentiles> lockByRound = new ArrayList<>();
        private final List<Percentiles> bothByRound = new ArrayList<>();

        Series(String name) {
            this.name = name;
        }

        void run(Lock measured, int times) {
            run(measured::lock, measured::unlock, times);
        }

        /** One round. */
        void run(Runnable lockIt, Runnable unlockIt, int times) {
            Percentiles lockNow = new Percentiles();
            Percentiles bothNow = new Percentiles();
            for (int i = 0; i < times; i++) {
                long askedNanos = System.nanoTime();
                lockIt.run();
                long lockedNanos = System.nanoTime();
                unlockIt.run();
                bothNow.add(System.nanoTime() - askedNanos);
                lockNow.add(lockedNanos - askedNanos);
            }
            both.addAll(bothNow);
            lock.addAll(lockNow);
            lockByRound.add(lockNow);
            bothByRound.add(bothNow);
        }
    }
}
