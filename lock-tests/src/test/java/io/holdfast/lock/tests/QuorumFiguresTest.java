package io.holdfast.lock.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.figures.FigureTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * How many commands a lock over three nodes costs, counted at the nodes: one per node for a lock, and one for an unlock.
 */
@Tag("proof")
class QuorumFiguresTest {

    /** Records would be calls of their own. */
    private static final ClientOptions UNRECORDED =
            ClientOptions.builder().clientRecord(false).build();

    private static final int ROUNDS = 20;
    private static final FigureTable TABLE = new FigureTable();

    private static List<RedisServer> nodes;

    @BeforeAll
    static void start() {
        nodes = IntStream.range(0, 3).mapToObj(node -> RedisServer.start()).toList();
    }

    @AfterAll
    static void printAndStop() {
        nodes.forEach(RedisServer::close);
        System.out.println();
        System.out.println(TABLE);
    }

    @Test
    void aLockOverThreeNodesIsThreeCommandsAndItsUnlockThree() {
        Counts ours;
        try (LockClient client = LockClient.connectQuorum(List.of(urls()), UNRECORDED, QuorumOptions.defaults())) {
            Lock lock = client.getLock("figure");
            useAllNodes(lock);
            ours = count(lock);
        }
        Counts theirs = countOfRedisson();
        TABLE.add("commands, RedLock of 3, lock + unlock", ours.perRound(), "3 + 3", theirs.perRound());
        assertThat(ours.names).containsOnly("EVALSHA");
        assertThat(ours.locking).isEqualTo(3 * ROUNDS);
        assertThat(ours.unlocking).isEqualTo(3 * ROUNDS);
    }

    /** The third node's grant often comes when the lock is released already; that must not cost another command. */
    @Test
    void backToBackTooALockAndItsUnlockAreSixCommands() {
        int pairs = 500;
        // A node that is slow for a moment is not to be left out, which would save commands.
        QuorumOptions patient =
                QuorumOptions.builder().nodeTimeout(Duration.ofMillis(900)).build();
        try (LockClient client = LockClient.connectQuorum(List.of(urls()), UNRECORDED, patient)) {
            Lock lock = client.getLock("back-to-back");
            useAllNodes(lock);
            long before = scriptsRun();
            for (int i = 0; i < pairs; i++) {
                lock.lock();
                lock.unlock();
            }
            Awaitility.await().until(() -> scriptsRun() - before >= 6 * pairs);
            assertThat(scriptsRun() - before).isEqualTo(6 * pairs);
        }
    }

    /** A client is connected when a majority is; what it tells a node at first is not counted. */
    private static void useAllNodes(Lock lock) {
        Awaitility.await().until(() -> {
            lock.lock();
            lock.unlock();
            // The first is the question of the connect, whether there are scripts.
            return nodes.stream().allMatch(node -> scriptsRun(node) > 1);
        });
    }

    private static long scriptsRun() {
        return nodes.stream().mapToLong(QuorumFiguresTest::scriptsRun).sum();
    }

    private static long scriptsRun(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return raw.calls("evalsha");
        }
    }

    private static String[] urls() {
        return nodes.stream().map(RedisServer::url).toArray(String[]::new);
    }

    private static Counts countOfRedisson() {
        List<RedissonClient> clients =
                nodes.stream().map(QuorumFiguresTest::redisson).toList();
        try {
            RLock[] locks =
                    clients.stream().map(client -> client.getLock("figure")).toArray(RLock[]::new);
            return count(new RedissonRedLock(locks));
        } finally {
            clients.forEach(RedissonClient::shutdown);
        }
    }

    private static RedissonClient redisson(RedisServer node) {
        Config config = new Config();
        config.useSingleServer().setAddress(node.url());
        return Redisson.create(config);
    }

    /** Takes and releases the lock a few times, and counts what reaches the nodes. */
    private static Counts count(Lock lock) {
        for (int round = 0; round < ROUNDS; round++) {
            lock.lock();
            lock.unlock();
        }
        List<RedisMonitor> monitors = nodes.stream().map(RedisMonitor::of).toList();
        try {
            Counts counts = new Counts();
            for (int round = 0; round < ROUNDS; round++) {
                int before = seen(monitors).size();
                lock.lock();
                int locked = settled(monitors, before + nodes.size());
                lock.unlock();
                int unlocked = settled(monitors, locked + nodes.size());
                counts.locking += locked - before;
                counts.unlocking += unlocked - locked;
            }
            counts.names = seen(monitors);
            return counts;
        } finally {
            monitors.forEach(RedisMonitor::close);
        }
    }

    /** How many commands have come when at least so many have, and the slower nodes have had a moment. */
    private static int settled(List<RedisMonitor> monitors, int least) {
        Awaitility.await()
                .during(20, TimeUnit.MILLISECONDS)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> seen(monitors).size() >= least);
        return seen(monitors).size();
    }

    private static List<String> seen(List<RedisMonitor> monitors) {
        List<String> names = new ArrayList<>();
        for (RedisMonitor monitor : monitors) {
            monitor.commands().stream().map(MonitoredCommand::name).forEach(names::add);
        }
        return names;
    }

    /** What reached the nodes in all rounds. */
    private static final class Counts {

        private int locking;
        private int unlocking;
        private List<String> names = List.of();

        String perRound() {
            return perRound(locking) + " + " + perRound(unlocking);
        }

        private static String perRound(int commands) {
            double each = (double) commands / ROUNDS;
            return each == Math.rint(each) ? Long.toString((long) each) : String.format("%.2f", each);
        }
    }
}
