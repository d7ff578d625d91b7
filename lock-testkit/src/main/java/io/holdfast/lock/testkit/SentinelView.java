package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one Sentinel says of the primary that it watches, of the replicas and of the other Sentinels.
 *
 * @param sentinel its address
 * @param named the address of the server that it names as the primary, as {@code host:port}; null if it says nothing
 * @param primary what {@code SENTINEL MASTER} says; during a failover the leading Sentinel still shows the old address here
 * @param replicas what it says of each replica
 * @param others what it says of each other Sentinel
 * @param quorum whether it believes that a failover is possible, in its own words
 * @param silence why it says nothing; empty when it does
 */
record SentinelView(
        String sentinel,
        @Nullable String named,
        Map<String, String> primary,
        List<Map<String, String>> replicas,
        List<Map<String, String>> others,
        String quorum,
        String silence) {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    static SentinelView of(RedisServer sentinel, String name) {
        if (!sentinel.isAnswering()) {
            return silent(sentinel, "killed or paused");
        }
        try (RawRedis connection = sentinel.connect()) {
            connection.timeout(PATIENCE);
            return new SentinelView(
                    shown(sentinel),
                    named(connection, name),
                    connection.map("SENTINEL", "MASTER", name),
                    maps(connection.command("SENTINEL", "REPLICAS", name)),
                    maps(connection.command("SENTINEL", "SENTINELS", name)),
                    quorum(connection, name),
                    "");
        } catch (RedisErrorReply | UncheckedIOException e) {
            return silent(sentinel, String.valueOf(e.getMessage()));
        }
    }

    /** The address that a Sentinel names, and nothing else of it; null if it says nothing. */
    static @Nullable String named(RedisServer sentinel, String name) {
        if (!sentinel.isAnswering()) {
            return null;
        }
        try (RawRedis connection = sentinel.connect()) {
            return named(connection.timeout(PATIENCE), name);
        } catch (RedisErrorReply | UncheckedIOException e) {
            return null;
        }
    }

    private static @Nullable String named(RawRedis connection, String name) {
        return connection.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name) instanceof List<?> address
                ? address.get(0) + ":" + address.get(1)
                : null;
    }

    private static SentinelView silent(RedisServer sentinel, String reason) {
        return new SentinelView(shown(sentinel), null, Map.of(), List.of(), List.of(), "", reason);
    }

    private static String shown(RedisServer sentinel) {
        return "Sentinel " + sentinel.host() + ":" + sentinel.port();
    }

    /** Without a quorum the reply is an error, and the error is the answer. */
    private static String quorum(RawRedis connection, String name) {
        try {
            return String.valueOf(connection.text("SENTINEL", "CKQUORUM", name));
        } catch (RedisErrorReply e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static List<Map<String, String>> maps(@Nullable Object reply) {
        return reply instanceof List<?> list
                ? list.stream().map(SentinelView::map).toList()
                : List.of();
    }

    private static Map<String, String> map(@Nullable Object flat) {
        Map<String, String> map = new LinkedHashMap<>();
        if (flat instanceof List<?> words) {
            for (int i = 0; i + 1 < words.size(); i += 2) {
                map.put(String.valueOf(words.get(i)), String.valueOf(words.get(i + 1)));
            }
        }
        return map;
    }

    /** Whether a failover runs that this Sentinel leads. */
    boolean isFailingOver() {
        return primary.getOrDefault("flags", "").contains("failover_in_progress");
    }

    /** Whether it is in touch with those replicas and those other Sentinels, by their ports, and could fail over now. */
    boolean isSettled(Set<String> replicaPorts, Set<String> sentinelPorts) {
        return "master".equals(primary.get("flags"))
                && quorum.startsWith("OK")
                && ports(replicas, SentinelView::isPromotable).containsAll(replicaPorts)
                && ports(others, other -> "sentinel".equals(other.get("flags"))).containsAll(sentinelPorts);
    }

    /** It is heard, and has said what it is: a Sentinel promotes no other. That it follows, it says every 10 s only. */
    private static boolean isPromotable(Map<String, String> replica) {
        return "slave".equals(replica.get("flags"))
                && !replica.getOrDefault("runid", "").isEmpty();
    }

    private static Set<String> ports(List<Map<String, String>> nodes, Predicate<Map<String, String>> which) {
        return nodes.stream()
                .filter(which)
                .map(node -> String.valueOf(node.get("port")))
                .collect(Collectors.toSet());
    }

    /** In one line: what it names, and how it sees the rest. */
    @Override
    public String toString() {
        if (!silence.isEmpty()) {
            return sentinel + " says nothing: " + silence;
        }
        return sentinel + " names " + named + " (" + primary.get("flags") + ", epoch " + primary.get("config-epoch")
                + "), replicas " + shown(replicas) + ", Sentinels " + shown(others) + ", " + quorum;
    }

    private static List<String> shown(List<Map<String, String>> nodes) {
        return nodes.stream()
                .map(node -> node.get("port") + " " + node.get("flags")
                        + (node.containsKey("master-link-status") ? " link " + node.get("master-link-status") : ""))
                .toList();
    }
}
