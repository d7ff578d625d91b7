package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a cluster of nodes that know nothing of each other, by the commands that {@code redis-cli --cluster create} sends; the
 * embedded binary comes without that program.
 *
 * @param nodes the masters, then one replica of each of them, then the next replica of each, and so on
 * @param masters how many of them are masters
 */
record ClusterForming(List<RedisServer> nodes, int masters) {
    static final Duration LIMIT = Duration.ofSeconds(60);

    ClusterForming {
        nodes = List.copyOf(nodes);
    }

    /**
     * Forms the cluster, and returns when all nodes serve their slots and the replicas follow.
     *
     * @return the ids of the nodes
     */
    Map<RedisServer, String> form() {
        Map<RedisServer, String> ids = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            ids.put(nodes.get(i), prepare(i));
        }
        // All to all, since what the nodes tell each other of third ones takes its time.
        for (int i = 1; i < nodes.size(); i++) {
            meet(nodes.get(i), nodes.subList(0, i));
        }
        Set<String> all = Set.copyOf(ids.values());
        BoundedWait.until(
                () -> ClusterViews.of(nodes).knowEachOther(all),
                LIMIT,
                () -> "all nodes of a cluster that know each other. " + ClusterViews.of(nodes));
        for (int i = masters; i < nodes.size(); i++) {
            replicate(nodes.get(i), String.valueOf(ids.get(nodes.get(i % masters))));
        }
        BoundedWait.until(
                () -> ClusterViews.of(nodes).areSettled(all),
                LIMIT,
                () -> "all nodes of a new cluster that serve their slots. " + ClusterViews.of(nodes));
        return ids;
    }

    /** Two nodes of the same epoch would have to find another one first. */
    private String prepare(int index) {
        try (RawRedis connection = nodes.get(index).connect()) {
            if (index < masters) {
                new ClusterSlots(connection).take(firstSlot(index), firstSlot(index + 1));
            }
            connection.command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(index + 1));
            return idOf(connection);
        }
    }

    private int firstSlot(int master) {
        return master * HashSlot.COUNT / masters;
    }

    /** Whether the slots and the roles are as they were after forming, and no slot is being moved. */
    boolean isAsFormed(ClusterViews views, Map<RedisServer, String> ids) {
        if (!ids.keySet().equals(Set.copyOf(nodes))
                || !views.areSettled(Set.copyOf(ids.values()))
                || views.haveOpenSlots()) {
            return false;
        }
        Map<String, BitSet> owners = views.owners();
        for (int i = 0; i < nodes.size(); i++) {
            String id = String.valueOf(ids.get(nodes.get(i)));
            boolean same = i < masters
                    ? slots(i).equals(owners.get(id))
                    : views.masterOf(id).equals(Optional.ofNullable(ids.get(nodes.get(i % masters))));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private BitSet slots(int master) {
        BitSet slots = new BitSet(HashSlot.COUNT);
        slots.set(firstSlot(master), firstSlot(master + 1));
        return slots;
    }

    static String idOf(RawRedis connection) {
        return String.valueOf(connection.text("CLUSTER", "MYID"));
    }

    static String idOf(RedisServer node) {
        try (RawRedis connection = node.connect()) {
            return idOf(connection);
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
        try (RawRedis connection = replica.connect()) {
            connection.command("CLUSTER", "REPLICATE", masterId);
        }
    }

    /** Makes nodes without data forget each other, their slots and what they replicate; they get new ids. */
    static void dissolve(List<RedisServer> nodes) {
        for (RedisServer node : nodes) {
            try (RawRedis connection = node.connect()) {
                connection.command("CLUSTER", "RESET", "HARD");
            }
        }
    }
}
