package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.netty.address.AnnouncedAddresses;
import io.holdfast.lock.netty.address.AnnouncedWhereabouts;
import io.holdfast.lock.netty.address.HostWhereabouts;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.SocketFileWhereabouts;
import io.holdfast.lock.netty.address.SystemNames;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.cluster.ClusterWays;
import io.holdfast.lock.netty.connection.ConnectionNews;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.sentinel.SentinelWatch;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.netty.topology.Cluster;
import io.holdfast.lock.netty.topology.ConnectableBackend;
import io.holdfast.lock.netty.topology.PrimaryOf;
import io.holdfast.lock.netty.topology.SingleNode;
import io.holdfast.lock.netty.topology.SurveyPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What all connections of a client share: its threads, its TLS, and who it is. */
final class ClientConnections {

    /** Shared by all clients, so that no two of them use a spelling of a name twice. */
    private static final NameService NAMES = new SystemNames();

    private final ClientOptions options;
    private final @Nullable ClientTls tls;
    private final @Nullable ClientTls sentinelTls;
    private final NettyRuntime runtime;
    private final ClientLogins logins;
    /** What else ends with the last of the client's nodes. */
    private final List<Runnable> ends = new ArrayList<>();

    private ClientConnections(
            ClientOptions options, @Nullable ClientTls tls, @Nullable ClientTls sentinelTls, NettyRuntime runtime) {
        this.options = options;
        this.tls = tls;
        this.sentinelTls = sentinelTls;
        this.runtime = runtime;
        this.logins = new ClientLogins(options, runtime);
    }

    /**
     * A node for each server. What they share ends with the last of them.
     *
     * @throws IllegalArgumentException if the client's options don't fit the servers, or name files that can't be used;
     *     then nothing was opened
     */
    static List<ConnectableBackend> open(List<RedisUri> servers, ClientOptions options) {
        ClientTls tls = tls(servers, options);
        ClientTls sentinelTls = SentinelWays.tls(servers.get(0), options, tls);
        NettyRuntime runtime = NettyRuntime.start(
                options.clientName(), options.ioThreads(), options.transport(), options.callbackExecutor());
        ClientConnections shared = new ClientConnections(options, tls, sentinelTls, runtime);
        SharedClose lastOut = new SharedClose(servers.size(), shared::close);
        return servers.stream()
                .<ConnectableBackend>map(server -> shared.open(server, lastOut))
                .toList();
    }

    private CompletionStage<Void> close() {
        ends.forEach(Runnable::run);
        return logins.closeAll();
    }

    private ConnectableBackend open(RedisUri server, SharedClose lastOut) {
        if (server.target() instanceof Target.Nodes cluster) {
            return openCluster(server, cluster, lastOut);
        }
        if (server.target() instanceof Target.Replicas group) {
            List<ConnectionSettings> each = each(server, group);
            Whereabouts primary = new PrimaryOf(each, runtime.loops(), runtime);
            return open(settings(server, primary, new ConnectionNews()), new SurveyPlan(each, null), lastOut);
        }
        if (server.target() instanceof Target.Sentinels group) {
            ConnectionNews news = new ConnectionNews();
            SentinelWays ways = new SentinelWays(this, sentinelTls, options, runtime, NAMES, news);
            ends.add(ways::close);
            ConnectionSettings settings = settings(server, watch(group, ways), news);
            SurveyPlan plan = new SurveyPlan(
                    List.of(settings),
                    replica -> settings(server.of(replica), ways.toPrimary(replica), new ConnectionNews()));
            return open(settings, plan, lastOut);
        }
        ConnectionSettings settings =
                settings(server, whereabouts(server.target(), NAMES, options.clientName()), new ConnectionNews());
        return open(settings, SurveyPlan.of(settings), lastOut);
    }

    private Cluster openCluster(RedisUri server, Target.Nodes cluster, SharedClose lastOut) {
        ConnectionNews news = new ConnectionNews();
        AnnouncedAddresses announced = new AnnouncedAddresses(
                options.addressMapper(),
                options.connectTimeout().toNanos() / 3,
                runtime.guests(),
                NAMES,
                options.clientName());
        ends.add(announced::close);
        // Made once, so that lookups that hang are counted together, however often a seed is asked.
        Map<Target.Host, ConnectionSettings> seeds = new LinkedHashMap<>();
        cluster.seeds()
                .forEach(seed -> seeds.put(
                        seed, settings(server.of(seed), whereabouts(seed, NAMES, options.clientName()), news)));
        ClusterWays ways = new ClusterWays() {

            @Override
            public ConnectionSettings toSeed(Target.Host seed) {
                return Objects.requireNonNull(seeds.get(seed), "no seed");
            }

            @Override
            public ConnectionSettings toNode(Target.Host node) {
                return settings(server.of(node), new AnnouncedWhereabouts(announced, node), news);
            }
        };
        ConnectionSettings seed = ways.toSeed(cluster.seeds().get(0));
        return new Cluster(cluster, seed, ways, news, runtime, runtime.loops(), lastOut::oneLess);
    }

    private SingleNode open(ConnectionSettings settings, SurveyPlan plan, SharedClose lastOut) {
        return SingleNode.open(settings, plan, runtime, runtime.loops(), () -> settings.whereabouts()
                .close()
                .thenCompose(gone -> lastOut.oneLess()));
    }

    private List<ConnectionSettings> each(RedisUri server, Target.Replicas group) {
        return group.seeds().stream()
                .map(seed ->
                        settings(server.of(seed), whereabouts(seed, NAMES, options.clientName()), new ConnectionNews()))
                .toList();
    }

    private SentinelWatch watch(Target.Sentinels group, SentinelWays ways) {
        return new SentinelWatch(
                group,
                ways,
                runtime.loops(),
                runtime,
                options.connectTimeout().toNanos(),
                options.sentinel().silence().toNanos());
    }

    /** What secures the connections, read now; null if no server speaks TLS. */
    private static @Nullable ClientTls tls(List<RedisUri> servers, ClientOptions options) {
        boolean anyPlain = servers.stream().anyMatch(server -> !server.tls());
        if (anyPlain && !options.tls().equals(TlsOptions.defaults())) {
            throw new IllegalArgumentException(
                    "tls: options for an address without TLS (expected: an address that begins with rediss://, or no options"
                            + " of TLS)");
        }
        return servers.stream().anyMatch(RedisUri::tls)
                ? ClientTls.open(
                        options.tls(), options.clientName(), servers.get(0).seedHost())
                : null;
    }

    private ConnectionSettings settings(RedisUri server, Whereabouts whereabouts, ConnectionNews news) {
        return settings(
                server,
                logins.of(server),
                server.tls() ? tls : null,
                whereabouts,
                options.connectTimeout().toNanos(),
                news);
    }

    ConnectionSettings settings(
            RedisUri server,
            Logins who,
            @Nullable ClientTls secured,
            Whereabouts whereabouts,
            long connectTimeoutNanos,
            ConnectionNews news) {
        return new ConnectionSettings(
                server,
                who,
                options.clientName(),
                secured,
                whereabouts,
                connectTimeoutNanos,
                options.commandTimeout().toNanos(),
                options.heartbeat().toNanos(),
                options.backoffMin().toNanos(),
                options.backoffMax().toNanos(),
                options.queueLimit(),
                RespLimits.DEFAULT,
                news);
    }

    /** Where one server is. */
    static Whereabouts whereabouts(Target target, NameService names, String clientName) {
        if (target instanceof Target.SocketFile file) {
            return new SocketFileWhereabouts(file);
        }
        return new HostWhereabouts((Target.Host) target, names, clientName);
    }
}
