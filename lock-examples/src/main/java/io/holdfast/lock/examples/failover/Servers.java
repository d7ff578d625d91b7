package io.holdfast.lock.examples.failover;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisSource;
import io.holdfast.lock.testkit.RedisUnavailableException;
import io.holdfast.lock.testkit.SentinelGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A primary, two replicas and three Sentinels for the locks, and one more server for the stock. The three servers of the
 * locks are called A, B and C; A is the primary at first.
 */
final class Servers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String IN_STEP_MILLIS = "5000";

    private final SentinelGroup group;
    private final RedisServer stock;
    private final List<RawRedis> asked = new ArrayList<>();

    private Servers(SentinelGroup group, RedisServer stock) {
        this.group = group;
        this.stock = stock;
    }

    /** Starts all seven. */
    static Servers start(Duration downAfter) {
        try {
            return startFrom(RedisSource.PATH, downAfter);
        } catch (RedisUnavailableException notOnPath) {
            return startFrom(RedisSource.EMBEDDED, downAfter);
        }
    }

    /** Servers in containers don't reach each other by the addresses that they announce. */
    private static Servers startFrom(RedisSource source, Duration downAfter) {
        RedisServer stock = RedisServer.builder().source(source).start();
        try {
            SentinelGroup group =
                    SentinelGroup.builder().source(source).downAfter(downAfter).start();
            return new Servers(group, stock);
        } catch (RuntimeException failed) {
            stock.close();
            throw failed;
        }
    }

    String lockUrl() {
        return group.url();
    }

    String stockUrl() {
        return stock.url();
    }

    /** A, B or C. */
    String letter(RedisServer server) {
        return String.valueOf((char) ('A' + group.servers().indexOf(server)));
    }

    List<String> letters() {
        return group.servers().stream().map(this::letter).toList();
    }

    int sentinels() {
        return group.sentinels().size();
    }

    /** Which server is named as the primary by how many Sentinels: letters to numbers, no other letters. */
    Map<String, Integer> named() {
        if (asked.isEmpty()) {
            group.sentinels().forEach(sentinel -> asked.add(sentinel.connect().timeout(PATIENCE)));
        }
        Map<String, Integer> voices = new LinkedHashMap<>();
        for (RawRedis sentinel : asked) {
            List<String> address = sentinel.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", group.name());
            String named = String.join(":", address);
            group.servers().stream()
                    .filter(server -> group.addressOf(server).equals(named))
                    .forEach(server -> voices.merge(letter(server), 1, Integer::sum));
        }
        return voices;
    }

    RedisServer primary() {
        return group.primary();
    }

    /** Waits until the replicas have what the primary has at this moment. */
    void awaitInStep() {
        try (RawRedis primary = group.primary().connect()) {
            // WAIT counts from the last write of its own connection.
            primary.command("SET", "in-step", "now");
            long replicas = group.servers().size() - 1L;
            long inStep = primary.integer("WAIT", String.valueOf(replicas), IN_STEP_MILLIS);
            if (inStep < replicas) {
                throw new IllegalStateException("replicas in step: " + inStep + " (expected: " + replicas + ")");
            }
        }
    }

    /** From now on no replica hears what the primary grants, as if the network between them had failed. */
    void stopReplication() {
        group.replicas().forEach(RedisServer::pause);
        try (RawRedis primary = group.primary().connect()) {
            primary.command("CLIENT", "KILL", "TYPE", "replica");
        }
    }

    /** Ends the primary's process at once, as a crash would, and lets the replicas go on. */
    void killPrimary() {
        RedisServer primary = group.primary();
        List<RedisServer> replicas = group.replicas();
        primary.kill();
        replicas.forEach(RedisServer::resume);
    }

    boolean isAlive(String letter) {
        return group.servers().get(letter.charAt(0) - 'A').isAlive();
    }

    @Override
    public void close() {
        try (RedisServer last = stock;
                SentinelGroup first = group) {
            asked.forEach(RawRedis::close);
        }
    }

    /** What was started, in words. */
    List<String> described(boolean fenced) {
        RedisServer any = group.servers().get(0);
        return List.of(
                "locks: a primary A, two replicas B and C, and three Sentinels",
                "stock: a server of its own, which " + (fenced ? "checks the tokens" : "takes any token"),
                "all started for you: version " + any.version() + " (" + any.source() + ")");
    }
}
