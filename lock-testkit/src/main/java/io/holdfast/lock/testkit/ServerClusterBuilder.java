package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Describes a {@link ServerCluster} before it is started.
 *
 * <pre>{@code
 * ServerCluster cluster = ServerCluster.builder()
 *         .masters(3)
 *         .replicas(1)
 *         .password("secret")
 *         .tls(TlsMode.SERVER)
 *         .nodes(node -> node.option("cluster-announce-hostname", "localhost"))
 *         .node(2, node -> node.source(RedisSource.EMBEDDED))    // an older version among them
 *         .start();
 * }</pre>
 */
public final class ServerClusterBuilder {
    private static final int MOST_PORTS_TRIED = 10;

    private int masters = 3;
    private int replicas = 1;
    private int spares;
    private Duration nodeTimeout = Duration.ofSeconds(2);
    private @Nullable String password;
    private @Nullable ServerTls tls;
    private @Nullable RedisSource source;
    private boolean announcedByProxies;
    private UnaryOperator<RedisServerBuilder> settings = builder -> builder;
    private final Map<Integer, UnaryOperator<RedisServerBuilder>> settingsOfOne = new HashMap<>();

    ServerClusterBuilder() {}

    /** How many masters there are; 3 by default. With fewer no failover is voted for. */
    public ServerClusterBuilder masters(int masters) {
        if (masters < 1) {
            throw new IllegalArgumentException("masters: " + masters + " (expected: > 0)");
        }
        this.masters = masters;
        return this;
    }

    /** How many replicas each master has; 1 by default. */
    public ServerClusterBuilder replicas(int replicas) {
        this.replicas = requireCount("replicas", replicas);
        return this;
    }

    /** How many nodes run beside the cluster, which they may {@linkplain ServerCluster#meet join}; 0 by default. */
    public ServerClusterBuilder spares(int spares) {
        this.spares = requireCount("spares", spares);
        return this;
    }

    private static int requireCount(String name, int count) {
        if (count < 0) {
            throw new IllegalArgumentException(name + ": " + count + " (expected: >= 0)");
        }
        return count;
    }

    /** For how long a node must not have answered before another one finds it failed; 2 s by default. */
    public ServerClusterBuilder nodeTimeout(Duration nodeTimeout) {
        this.nodeTimeout = nodeTimeout;
        return this;
    }

    /** The password of all nodes, for clients and among themselves; none by default. */
    public ServerClusterBuilder password(String password) {
        this.password = password;
        return this;
    }

    /**
     * Whether clients come by TLS; so do the nodes among themselves then. All show one certificate, made for
     * {@code localhost} and {@code 127.0.0.1}.
     */
    public ServerClusterBuilder tls(TlsMode mode) {
        this.tls = mode == TlsMode.OFF ? null : ServerTls.fresh(mode == TlsMode.MUTUAL);
        return this;
    }

    /** The same, with a certificate of the test's own. */
    public ServerClusterBuilder tls(ServerTls tls) {
        this.tls = tls;
        return this;
    }

    /** Forces where the nodes come from, also against the system property. */
    public ServerClusterBuilder source(RedisSource source) {
        this.source = source;
        return this;
    }

    /**
     * Announces each node at a {@link FaultProxy} of its own, as where ports are mapped: clients and replicas hear of no other
     * address. The nodes' talk among themselves goes past it.
     */
    public ServerClusterBuilder announcedByProxies() {
        this.announcedByProxies = true;
        return this;
    }

    /** Further settings of each node. */
    public ServerClusterBuilder nodes(UnaryOperator<RedisServerBuilder> settings) {
        this.settings = settings;
        return this;
    }

    /**
     * Further settings of one node, such as another source; they come after those of all.
     *
     * @param index its place among {@link ServerCluster#nodes()}, and behind them the spare ones
     */
    public ServerClusterBuilder node(int index, UnaryOperator<RedisServerBuilder> settings) {
        settingsOfOne.put(index, settings);
        return this;
    }

    /**
     * Starts all processes, and returns when all nodes serve their slots and the replicas follow; in two to three seconds, since
     * a node holds back for two after its start.
     *
     * @throws IllegalStateException when a container engine provides the servers, or when one node doesn't get ready; the
     *     message says what each node says
     */
    public ServerCluster start() {
        ClusterLayout layout = new ClusterLayout(masters, replicas);
        int count = layout.size() + spares;
        settingsOfOne.keySet().stream()
                .filter(index -> index < 0 || index >= count)
                .forEach(index -> {
                    throw new IllegalArgumentException("node: " + index + " (expected: 0 to " + (count - 1) + ")");
                });
        Map<RedisServer, FaultProxy> proxies = new ConcurrentHashMap<>();
        try {
            return formed(
                    layout,
                    RedisServers.startTogether(IntStream.range(0, count)
                            .<Supplier<RedisServer>>mapToObj(i -> () -> prepared(i, layout, proxies))
                            .toList()),
                    proxies);
        } catch (RuntimeException e) {
            proxies.values().forEach(FaultProxy::close);
            throw e;
        }
    }

    private static ServerCluster formed(ClusterLayout layout, RedisServers all, Map<RedisServer, FaultProxy> proxies) {
        try {
            return new ServerCluster(new ClusterForming(layout, all.subList(0, layout.size())), all, proxies);
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** A node holds back its slots for a while after it got them, so it gets them at once. */
    private RedisServer prepared(int index, ClusterLayout layout, Map<RedisServer, FaultProxy> proxies) {
        RedisServer node = start(index, proxies);
        try {
            if (index < layout.size()) {
                layout.prepare(node, index);
            }
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private RedisServer start(int index, Map<RedisServer, FaultProxy> proxies) {
        if (!announcedByProxies) {
            return node(index).start();
        }
        for (int attempt = 1; ; attempt++) {
            int port = FreePorts.takeWithBus();
            FaultProxy proxy = FaultProxy.to(tls == null ? "redis" : "rediss", FreePorts.HOST, port);
            try {
                RedisServer node =
                        announced(node(index).port(port), proxy, port).start();
                proxies.put(node, proxy);
                return node;
            } catch (RuntimeException e) {
                proxy.close();
                if (!(e instanceof PortTakenException) || attempt == MOST_PORTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    /** Where clients come by TLS, the test kit's own port is announced to no client. */
    private RedisServerBuilder announced(RedisServerBuilder builder, FaultProxy proxy, int port) {
        return builder.option(tls == null ? "cluster-announce-port" : "cluster-announce-tls-port", text(proxy.port()))
                .option("cluster-announce-bus-port", text(FreePorts.busOf(port)));
    }

    private RedisServerBuilder node(int index) {
        RedisServerBuilder builder = RedisServer.builder().mode(ServerMode.CLUSTER_NODE);
        if (source != null) {
            builder.source(source);
        }
        if (tls != null) {
            builder.tls(tls);
        }
        if (password != null) {
            builder.option("requirepass", password).option("masterauth", password);
        }
        builder.option("cluster-announce-ip", FreePorts.HOST)
                .option("cluster-node-timeout", text(nodeTimeout.toMillis()))
                .option("cluster-replica-validity-factor", "0")
                .option("repl-diskless-sync-delay", "0");
        return settingsOfOne
                .getOrDefault(index, own -> own)
                .apply(settings.apply(builder))
                .connected();
    }

    private static String text(long number) {
        return String.valueOf(number);
    }
}
