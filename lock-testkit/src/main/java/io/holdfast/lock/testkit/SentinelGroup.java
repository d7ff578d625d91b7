package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A primary, its replicas and the Sentinels that watch them, as real processes on this machine.
 *
 * <pre>{@code
 * try (SentinelGroup group = SentinelGroup.start()) {       // a primary, two replicas, three Sentinels
 *     MyClient client = MyClient.connect(group.url());
 *     RedisServer promoted = group.failOver();              // by the command, in about a second
 *     promoted.kill();                                      // or pause(), for a machine that hangs
 *     RedisServer next = group.awaitOtherPrimary(promoted); // in two to four seconds
 *     group.sentinels().get(0).pause();                     // a Sentinel is a server like any other
 * }
 * }</pre>
 *
 * <p>When a group is handed out, all Sentinels know each other and the replicas, so a failover can be caused at once. The
 * servers and the Sentinels are {@link RedisServer}s: each can be paused, resumed, killed, restarted and asked. Each has a
 * port and a directory of its own; all of it goes away with {@link #close()}, and also when the JVM ends without it.
 *
 * <p>A primary that is replaced while it runs goes on calling itself primary and takes writes, until Sentinel has it follow
 * the new one: some ten seconds later, or after {@link #follow}.
 */
public final class SentinelGroup implements AutoCloseable {
    /** A Sentinel that was held up itself, for more than two seconds, takes no part in failovers for the next thirty. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String name;
    private final String scheme;
    private final String host;
    private final ReplicatedPair pair;
    private final RedisServers sentinels;
    private final ToIntFunction<RedisServer> sentinelPort;
    private final List<Detours> detours = new CopyOnWriteArrayList<>();

    /**
     * @param host the host by which the servers and the Sentinels are announced
     * @param sentinelPort the port on which clients come to a Sentinel
     */
    SentinelGroup(
            String name,
            String scheme,
            String host,
            ReplicatedPair pair,
            RedisServers sentinels,
            ToIntFunction<RedisServer> sentinelPort) {
        this.name = name;
        this.scheme = scheme;
        this.host = host;
        this.pair = pair;
        this.sentinels = sentinels;
        this.sentinelPort = sentinelPort;
    }

    /**
     * Starts a primary, two replicas and three Sentinels of which two have to agree.
     *
     * @throws IllegalStateException when a container engine provides the servers
     */
    public static SentinelGroup start() {
        return builder().start();
    }

    /** Describes a group with settings of its own. */
    public static SentinelGroupBuilder builder() {
        return new SentinelGroupBuilder();
    }

    /** The name by which the Sentinels know the primary. */
    public String name() {
        return name;
    }

    /**
     * The address as clients take it, such as {@code redis-sentinel://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/mymaster}, or
     * {@code rediss-sentinel://} where clients come to the servers by TLS; without a password.
     */
    public String url() {
        return url(sentinels.stream()
                .map(sentinel -> host + ":" + portOf(sentinel))
                .toList());
    }

    /** The address with other addresses of the Sentinels. */
    String url(List<String> seeds) {
        return scheme + "-sentinel://" + String.join(",", seeds) + "/" + name;
    }

    /** The address of a server or of a Sentinel, as {@code host:port}, by which the group announces it. */
    public String addressOf(RedisServer node) {
        return host + ":" + announcedPort(node);
    }

    /** A Sentinel announces the port on which other Sentinels come: by TLS if the servers are reached so. */
    private int announcedPort(RedisServer node) {
        return scheme.equals("rediss") ? node.port() : node.plainPort();
    }

    /** The port on which clients come to a Sentinel. */
    int portOf(RedisServer sentinel) {
        return sentinelPort.applyAsInt(sentinel);
    }

    /** The servers, the first primary first; the order never changes. */
    public List<RedisServer> servers() {
        return pair.servers();
    }

    /** The Sentinels. */
    public List<RedisServer> sentinels() {
        return sentinels;
    }

    /**
     * The server that a majority of the Sentinels names now.
     *
     * @throws IllegalStateException when there is none; the message says what each Sentinel says
     */
    public RedisServer primary() {
        List<SentinelView> views = views();
        Map<String, Long> votes = views.stream()
                .flatMap(view -> Optional.ofNullable(view.named()).stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return servers().stream()
                .filter(server -> votes.getOrDefault(addressOf(server), 0L) > sentinels.size() / 2)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        this + ": no server is named by a majority of the Sentinels. " + shown(views)));
    }

    /** All servers but the one that is the {@link #primary()} now. */
    public List<RedisServer> replicas() {
        return others(primary());
    }

    private List<RedisServer> others(RedisServer primary) {
        return servers().stream().filter(server -> server != primary).toList();
    }

    /** The server that one Sentinel names as the primary; empty when it doesn't answer, or names a server of others. */
    public Optional<RedisServer> namedBy(RedisServer sentinel) {
        return serverAt(SentinelView.named(sentinel, name));
    }

    /**
     * Has the Sentinels promote a replica, and waits until all of them that answer name it. It may be called again at once:
     * it then waits until the Sentinel that led the last failover has ended it, at most the failover timeout.
     *
     * @return the new primary
     */
    public RedisServer failOver() {
        RedisServer old = primary();
        List<String> refusals = new ArrayList<>();
        BoundedWait.until(
                () -> {
                    refusals.clear();
                    return views().stream().noneMatch(SentinelView::isFailingOver)
                            && sentinels.stream()
                                    .filter(RedisServer::isAnswering)
                                    .anyMatch(sentinel -> takesUp(sentinel, refusals));
                },
                LIMIT,
                () -> this + ": a Sentinel that takes up a failover. They said " + refusals + ". " + shown(views()));
        return awaitOtherPrimary(old);
    }

    /** A Sentinel refuses while it knows no replica that it could promote; another one may know one. */
    private boolean takesUp(RedisServer sentinel, List<String> refusals) {
        try (RawRedis connection = sentinel.connect()) {
            connection.command("SENTINEL", "FAILOVER", name);
            return true;
        } catch (RedisErrorReply e) {
            if (!Set.of("INPROG", "NOGOODSLAVE").contains(e.code())) {
                throw e;
            }
            refusals.add(String.valueOf(e.getMessage()));
            return false;
        } catch (UncheckedIOException e) {
            refusals.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /**
     * Waits until all Sentinels that answer, a majority of them at least, name the same server, and another one than this.
     *
     * @return the server that they name
     * @throws IllegalStateException after 60 s; the message says what each Sentinel says
     */
    public RedisServer awaitOtherPrimary(RedisServer old) {
        return BoundedWait.found(
                () -> agreed().filter(server -> server != old),
                LIMIT,
                () -> this + ": all Sentinels naming another primary than " + addressOf(old) + ". " + shown(views()));
    }

    /** The server that all Sentinels name that answer, if they are a majority. */
    private Optional<RedisServer> agreed() {
        List<RedisServer> heard = answering(sentinels);
        Set<Optional<RedisServer>> named = heard.stream().map(this::namedBy).collect(Collectors.toSet());
        return heard.size() > sentinels.size() / 2 && named.size() == 1
                ? named.iterator().next()
                : Optional.empty();
    }

    /**
     * Waits until no failover runs, each running server but the primary follows it, and each Sentinel that answers is in
     * touch with all of them. Some ten seconds after a failover whose old primary is still alive, unless {@link #follow} is
     * called with it.
     *
     * @throws IllegalStateException after 60 s; the message says what each Sentinel and each server says
     */
    public void awaitSettled() {
        BoundedWait.until(
                this::isSettled,
                LIMIT,
                () -> this + ": a settled group. " + shown(views()) + "; " + Replication.shown(servers()));
    }

    private boolean isSettled() {
        return agreed().filter(RedisServer::isAnswering).filter(this::isSettled).isPresent();
    }

    private boolean isSettled(RedisServer now) {
        List<RedisServer> heard = answering(sentinels);
        Set<String> known = ports(answering(others(now)), server -> true);
        return heard.stream().allMatch(sentinel -> SentinelView.of(sentinel, name)
                        .isSettled(known, ports(heard, other -> other != sentinel)))
                && Replication.inStep(now, Replication.of(now), others(now));
    }

    /** Makes a server a replica of the primary, as Sentinel does in the end with a primary that was replaced. */
    public void follow(RedisServer server) {
        RedisServer now = primary();
        if (server == now || !servers().contains(server)) {
            throw new IllegalArgumentException(
                    "follow: " + server + " (expected: a server of " + this + " but the primary)");
        }
        try (RawRedis connection = server.connect()) {
            connection.command("REPLICAOF", now.host(), String.valueOf(now.port()));
        }
    }

    /**
     * Other ways to the servers and to the Sentinels, for one client: a {@link FaultProxy} in front of each. They are closed
     * with the group.
     */
    public Detours detours() {
        Detours added = Detours.around(this);
        detours.add(added);
        return added;
    }

    private List<SentinelView> views() {
        return sentinels.stream()
                .map(sentinel -> SentinelView.of(sentinel, name))
                .toList();
    }

    private static String shown(List<SentinelView> views) {
        return views.stream().map(SentinelView::toString).collect(Collectors.joining("; "));
    }

    private Optional<RedisServer> serverAt(@Nullable String address) {
        return servers().stream()
                .filter(server -> addressOf(server).equals(address))
                .findFirst();
    }

    private static List<RedisServer> answering(List<RedisServer> nodes) {
        return nodes.stream().filter(RedisServer::isAnswering).toList();
    }

    private Set<String> ports(List<RedisServer> nodes, Predicate<RedisServer> which) {
        return nodes.stream()
                .filter(which)
                .map(node -> String.valueOf(announcedPort(node)))
                .collect(Collectors.toSet());
    }

    /** Ends all detours, Sentinels and servers. */
    @Override
    public void close() {
        try {
            detours.forEach(Detours::close);
        } finally {
            try {
                sentinels.close();
            } finally {
                pair.close();
            }
        }
    }

    @Override
    public String toString() {
        return url();
    }
}
