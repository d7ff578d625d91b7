package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Makes a cluster of nodes by the commands that {@code redis-cli --cluster} sends; the embedded binary comes without that
 * program.
 */
record ClusterForming(ClusterLayout layout, List<RedisServer> nodes) {
    static final Duration LIMIT = Duration.ofSeconds(60);

    ClusterForming {
        nodes = List.copyOf(nodes);
    }

    /** The ids by which the nodes are known, in their order. */
    List<String> ids() {
        return nodes.stream().map(ClusterForming::idOf).toList();
    }

    /** Forms the cluster of nodes that are prepared, and returns when all of them serve their slots and the replicas follow. */
    void form() {
        List<String> ids = ids();
        // All to all, since what the nodes tell each other of third ones takes its time.
        for (int i = 1; i < nodes.size(); i++) {
            meet(nodes.get(i), nodes.subList(0, i));
        }
        await("nodes that know each other", () -> views().knowEachOther(Set.copyOf(ids)));
        IntStream.range(layout.masters(), layout.size())
                .forEach(i -> replicate(nodes.get(i), ids.get(layout.masterOf(i))));
        await("nodes that serve their slots", () -> views().areSettled(Set.copyOf(ids)));
        // A replica that has got no write yet is told to no client by CLUSTER SLOTS.
        nodes.subList(0, layout.masters()).forEach(master -> ServerCluster.command(master, "FLUSHALL"));
    }

    private void await(String what, BooleanSupplier condition) {
        BoundedWait.until(condition, LIMIT, () -> "a cluster of " + what + ". " + views());
    }

    private ClusterViews views() {
        return ClusterViews.of(nodes);
    }

    /** Forms the cluster anew of nodes without data, whatever they know of each other; they get other ids. */
    void formAnew() {
        nodes.forEach(ClusterForming::dissolve);
        for (int i = 0; i < nodes.size(); i++) {
            layout.prepare(nodes.get(i), i);
        }
        form();
    }

    /** Makes a node without data forget all others, its slots and its master. */
    static void dissolve(RedisServer node) {
        ServerCluster.command(node, "CLUSTER", "RESET", "HARD");
    }

    static String idOf(RedisServer node) {
        try (RawRedis connection = node.connect()) {
            return String.valueOf(connection.text("CLUSTER", "MYID"));
        }
    }

    /** Introduces a node to others. */
    static void meet(RedisServer node, List<RedisServer> others) {
        try (RawRedis connection = node.connect()) {
            for (RedisServer other : others) {
                connection.command("CLUSTER", "MEET", other.host(), String.valueOf(other.port()));
            }
        }
    }

    static void replicate(RedisServer replica, String masterId) {
        ServerCluster.command(replica, "CLUSTER", "REPLICATE", masterId);
    }
}
