package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one node says of its cluster.
 *
 * @param node the node that says it
 * @param state {@code ok} when it serves its slots; {@code fail} when it refuses them with {@code CLUSTERDOWN}
 * @param lines what it says of each node, itself among them, by their ids
 * @param replication what it says of its own replication
 * @param silence why it says nothing; empty when it does
 */
record ClusterView(
        RedisServer node,
        String state,
        Map<String, ClusterLine> lines,
        Map<String, String> replication,
        String silence) {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    static ClusterView of(RedisServer node) {
        if (!node.isAnswering()) {
            return silent(node, "killed or paused");
        }
        try (RawRedis connection = node.connect()) {
            connection.timeout(PATIENCE);
            Map<String, ClusterLine> lines = new LinkedHashMap<>();
            String.valueOf(connection.text("CLUSTER", "NODES"))
                    .lines()
                    .map(ClusterLine::parse)
                    .forEach(line -> lines.put(line.id(), line));
            return new ClusterView(node, state(connection), lines, connection.info("replication"), "");
        } catch (RedisErrorReply | UncheckedIOException e) {
            return silent(node, String.valueOf(e.getMessage()));
        }
    }

    private static ClusterView silent(RedisServer node, String reason) {
        return new ClusterView(node, "", Map.of(), Map.of(), reason);
    }

    private static String state(RawRedis connection) {
        return String.valueOf(connection.text("CLUSTER", "INFO"))
                .lines()
                .filter(line -> line.startsWith("cluster_state:"))
                .map(line -> line.substring(line.indexOf(':') + 1))
                .findFirst()
                .orElse("unknown");
    }

    boolean isSilent() {
        return !silence.isEmpty();
    }

    /** What it says of itself; empty when it says nothing. */
    Optional<ClusterLine> self() {
        return lines.values().stream().filter(ClusterLine::isSelf).findFirst();
    }

    /** What it says of another node; empty when it doesn't know it. */
    Optional<ClusterLine> of(String id) {
        return Optional.ofNullable(lines.get(id));
    }

    /** Which node owns each slot, as far as it knows; nodes without slots are left out. */
    Map<String, Object> owners() {
        return lines.values().stream()
                .filter(line -> !line.slots().isEmpty())
                .collect(Collectors.toMap(ClusterLine::id, ClusterLine::slots));
    }

    /** Whether it knows these nodes and no others, and is in touch with those of them that are named second. */
    boolean isInTouch(Set<String> known, Set<String> answering) {
        return lines.keySet().equals(known)
                && answering.stream()
                        .allMatch(id -> of(id).filter(ClusterLine::isSound).isPresent());
    }

    /** Which node each of these follows, as far as it knows. */
    List<String> mastersOf(Set<String> ids) {
        return ids.stream()
                .sorted()
                .map(id -> of(id).map(ClusterLine::master).orElse("unknown"))
                .toList();
    }

    /** Whether it has no master that it ought to have a connection to, or has it. */
    boolean isFollowing(Set<String> answering) {
        return self().filter(self -> self.isReplica() && answering.contains(self.master()))
                        .isEmpty()
                || "up".equals(replication.get("master_link_status"));
    }

    /** In one line: whether it serves its slots, and how it sees each node. */
    @Override
    public String toString() {
        if (isSilent()) {
            return node.host() + ":" + node.port() + " says nothing: " + silence;
        }
        String link = replication.containsKey("master_link_status")
                ? ", link to its master " + replication.get("master_link_status")
                : "";
        return node.host() + ":" + node.port() + " says " + state + link + ", "
                + lines.values().stream().map(ClusterLine::toString).collect(Collectors.joining(", "));
    }
}
