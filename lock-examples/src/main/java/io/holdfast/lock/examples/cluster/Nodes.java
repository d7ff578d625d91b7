package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisSource;
import io.holdfast.lock.testkit.RedisUnavailableException;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of three primaries with a replica each, and one more server for the numbers that the locks guard. The nodes are called
 * A to F; A, B and C are the primaries at first, and D, E and F their replicas.
 */
final class Nodes implements AutoCloseable {

    private static final int PRIMARIES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ServerCluster cluster;
    private final RedisServer numbers;
    private @Nullable RawRedis asked;
    private String askedLetter = "";

    private Nodes(ServerCluster cluster, RedisServer numbers) {
        this.cluster = cluster;
        this.numbers = numbers;
    }

    /** Starts all seven. */
    static Nodes start(Duration nodeTimeout) {
        try {
            return startFrom(RedisSource.PATH, nodeTimeout);
        } catch (RedisUnavailableException notOnPath) {
            return startFrom(RedisSource.EMBEDDED, nodeTimeout);
        }
    }

    /** Nodes in containers don't reach each other by the addresses that they announce. */
    private static Nodes startFrom(RedisSource source, Duration nodeTimeout) {
        RedisServer numbers = RedisServer.builder().source(source).start();
        try {
            ServerCluster cluster = ServerCluster.builder()
                    .source(source)
                    .masters(PRIMARIES)
                    .replicas(1)
                    .nodeTimeout(nodeTimeout)
                    .start();
            return new Nodes(cluster, numbers);
        } catch (RuntimeException failed) {
            numbers.close();
            throw failed;
        }
    }

    String lockUrl() {
        return cluster.url();
    }

    String numberUrl() {
        return numbers.url();
    }

    /** A to F. */
    List<String> letters() {
        return cluster.nodes().stream().map(this::letter).toList();
    }

    private String letter(RedisServer node) {
        return String.valueOf((char) ('A' + cluster.nodes().indexOf(node)));
    }

    private RedisServer node(String letter) {
        return cluster.nodes().get(letter.charAt(0) - 'A');
    }

    boolean isAlive(String letter) {
        return node(letter).isAlive();
    }

    /** Which node is asked for the table: the first that is alive. */
    String asked() {
        return askedLetter;
    }

    /** Asks a node which node is the primary of which slot, and whether it serves. */
    SlotTable table() {
        RawRedis node = connected();
        boolean serving = String.valueOf(node.text("CLUSTER", "INFO")).contains("cluster_state:ok");
        List<?> ranges = (List<?>) Objects.requireNonNull(node.command("CLUSTER", "SLOTS"), "no slots");
        return SlotTable.of(ranges, this::letterOfPort, serving);
    }

    private RawRedis connected() {
        RawRedis present = asked;
        if (present != null && isAlive(askedLetter)) {
            return present;
        }
        if (present != null) {
            present.close();
        }
        RedisServer node = cluster.nodes().stream()
                .filter(RedisServer::isAlive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node is alive"));
        RawRedis connection = node.connect().timeout(PATIENCE);
        asked = connection;
        askedLetter = letter(node);
        return connection;
    }

    private String letterOfPort(long port) {
        return cluster.nodes().stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .map(this::letter)
                .orElseThrow(() -> new IllegalStateException("port " + port + " (expected: that of a node)"));
    }

    /** Opens a slot, to be moved to a node. */
    SlotMove open(int slot, String target) {
        return cluster.beginMove(slot, node(target));
    }

    /** Ends the process of a node at once, as a crash would. */
    void kill(String letter) {
        node(letter).kill();
    }

    /** What was started, in words. */
    List<String> described() {
        RedisServer any = cluster.nodes().get(0);
        return List.of(
                "locks: six nodes; A, B and C are primaries, D, E and F their replicas",
                "numbers: a server of its own, which checks the tokens",
                "all started for you: version " + any.version() + " (" + any.source() + ")");
    }

    @Override
    public void close() {
        try (RedisServer last = numbers;
                ServerCluster first = cluster) {
            if (asked != null) {
                asked.close();
            }
        }
    }
}
