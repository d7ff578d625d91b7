package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A primary and its replicas, one by default, without anything that watches them: the test says which is promoted.
 *
 * <pre>{@code
 * try (ReplicatedPair pair = ReplicatedPair.start()) {
 *     MyClient client = MyClient.connect(pair.url());
 *     RedisServer old = pair.primary();
 *     pair.promote(pair.replicas().get(0));    // now there are two that call themselves primary
 *     pair.follow(old);                        // and now one: the old one is a replica of the new one
 *     pair.awaitInStep();
 * }
 * }</pre>
 *
 * <p>Each of them is a {@link RedisServer}, which can be paused, killed and restarted. Where clients come by TLS, replicas
 * come to their primary by TLS too.
 */
public final class ReplicatedPair implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final RedisServers servers;
    private volatile RedisServer primary;

    private ReplicatedPair(RedisServers servers) {
        this.servers = servers;
        this.primary = servers.get(0);
    }

    /** Starts a primary and one replica. */
    public static ReplicatedPair start() {
        return start(1);
    }

    /** Starts a primary and so many replicas. */
    public static ReplicatedPair start(int replicas) {
        return start(replicas, builder -> builder);
    }

    /**
     * Starts a primary and so many replicas, all with the same settings, and returns when the replicas have what the
     * primary has. For TLS give all of them the same {@link ServerTls}, since a replica trusts its own authority only.
     *
     * @throws IllegalStateException when a container engine provides the servers
     */
    public static ReplicatedPair start(int replicas, UnaryOperator<RedisServerBuilder> settings) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: > 0)");
        }
        List<RedisServer> started = new ArrayList<>();
        try {
            RedisServer first = server(settings).start();
            started.add(first);
            for (int i = 0; i < replicas; i++) {
                started.add(server(settings)
                        .option("replicaof", first.host(), String.valueOf(first.port()))
                        .start());
            }
            ReplicatedPair pair = new ReplicatedPair(RedisServers.of(started));
            pair.awaitInStep();
            return pair;
        } catch (RuntimeException e) {
            started.forEach(RedisServer::close);
            throw e;
        }
    }

    /** Without the option a primary waits some seconds for further replicas before it sends its data to the first. */
    private static RedisServerBuilder server(UnaryOperator<RedisServerBuilder> settings) {
        return settings.apply(RedisServer.builder())
                .option("repl-diskless-sync-delay", "0")
                .connected();
    }

    /** The server that was promoted last, or the one that the others were started as replicas of. */
    public RedisServer primary() {
        return primary;
    }

    /** All but the primary, in the order in which they were started. */
    public List<RedisServer> replicas() {
        RedisServer now = primary;
        return servers.stream().filter(server -> server != now).toList();
    }

    /** All of them, in the order in which they were started; the order never changes. */
    public List<RedisServer> servers() {
        return servers;
    }

    /** The address of all of them, such as {@code redis-replicas://127.0.0.1:1,127.0.0.1:2}; without a password. */
    public String url() {
        return primary.scheme() + "-replicas://"
                + servers.stream()
                        .map(server -> server.host() + ":" + server.port())
                        .collect(Collectors.joining(","));
    }

    /**
     * Makes a replica a primary. The primary of before hears nothing of it: it calls itself primary too, and takes
     * writes, until {@link #follow} is called with it.
     */
    public void promote(RedisServer replica) {
        requireOther(replica, "promote");
        try (RawRedis connection = replica.connect()) {
            connection.command("REPLICAOF", "NO", "ONE");
        }
        primary = replica;
    }

    /** Makes a server a replica of the primary; what it has that the primary hasn't is lost. */
    public void follow(RedisServer server) {
        requireOther(server, "follow");
        RedisServer leader = primary;
        try (RawRedis connection = server.connect()) {
            connection.command("REPLICAOF", leader.host(), String.valueOf(leader.port()));
        }
    }

    /**
     * Waits until each replica that runs, and isn't paused, has what the primary has at this moment.
     *
     * @throws IllegalStateException after 30 s; the message says what each server is
     */
    public void awaitInStep() {
        awaitInStep(primary, replicas());
    }

    private static void awaitInStep(RedisServer primary, List<RedisServer> replicas) {
        Replication wanted = Replication.of(primary);
        BoundedWait.until(
                () -> Replication.inStep(primary, wanted, replicas),
                LIMIT,
                () -> "replicas in step with " + primary.url() + ". " + wanted + "; " + Replication.shown(replicas));
    }

    private void requireOther(RedisServer server, String operation) {
        if (server == primary || !servers.contains(server)) {
            throw new IllegalArgumentException(operation + ": " + server + " (expected: a replica of " + this + ")");
        }
    }

    /** Ends all of them. */
    @Override
    public void close() {
        servers.close();
    }

    @Override
    public String toString() {
        return url();
    }
}
