package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one server says of itself as a primary or a replica.
 *
 * @param server its address
 * @param info what it says, by the names of {@code INFO replication}; empty when it doesn't answer
 * @param silence why it doesn't answer; empty when it does
 */
record Replication(String server, Map<String, String> info, String silence) {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    static Replication of(RedisServer server) {
        if (!server.isAnswering()) {
            return new Replication(server.url(), Map.of(), "killed or paused");
        }
        try (RawRedis connection = server.connect()) {
            return new Replication(server.url(), connection.timeout(PATIENCE).info("replication"), "");
        } catch (RedisErrorReply | UncheckedIOException e) {
            return new Replication(server.url(), Map.of(), String.valueOf(e.getMessage()));
        }
    }

    private boolean isPrimary() {
        return "master".equals(info.get("role"));
    }

    /** Whether all servers that run, and aren't paused, are in step with the primary as it was when it was asked. */
    static boolean inStep(RedisServer primary, Replication ofPrimary, List<RedisServer> replicas) {
        return replicas.stream().filter(RedisServer::isAnswering).allMatch(replica -> of(replica)
                .isInStepWith(primary, ofPrimary));
    }

    /** What each of them says. */
    static String shown(List<RedisServer> servers) {
        return servers.stream().map(server -> of(server).toString()).collect(Collectors.joining("; "));
    }

    /** Whether it is a replica of that primary, and has what the primary had when it was asked. */
    private boolean isInStepWith(RedisServer primary, Replication ofPrimary) {
        return "up".equals(info.get("master_link_status"))
                && String.valueOf(primary.port()).equals(info.get("master_port"))
                && number("slave_repl_offset") >= ofPrimary.number("master_repl_offset");
    }

    private long number(String name) {
        return Long.parseLong(info.getOrDefault(name, "-1"));
    }

    /** Such as {@code redis://127.0.0.1:7002 is a replica of 127.0.0.1:7001, link up, at 84}. */
    @Override
    public String toString() {
        if (!silence.isEmpty()) {
            return server + " says nothing: " + silence;
        }
        return server
                + (isPrimary()
                        ? " is a primary"
                        : " is a replica of " + info.get("master_host") + ":" + info.get("master_port") + ", link "
                                + info.get("master_link_status"))
                + ", at " + info.getOrDefault("slave_repl_offset", String.valueOf(info.get("master_repl_offset")));
    }
}
