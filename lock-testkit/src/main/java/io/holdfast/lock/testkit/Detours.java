package io.holdfast.lock.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The ways of one client to the nodes of a {@link SentinelGroup} or of a {@link ServerCluster}: a {@link FaultProxy} in front of
 * each, so that this client, and no other, can be cut off from one of them.
 *
 * <pre>{@code
 * Detours detours = group.detours();
 * MyClient client = MyClient.connect(detours.url(), addressMapper(detours.addresses()));
 * detours.partition(group.primary());                 // this client hears nothing of the primary; all others do
 * detours.heal(group.primary());
 * detours.to(group.primary()).cutAll();               // or anything else that a FaultProxy does
 * }</pre>
 */
public final class Detours implements AutoCloseable {
    private final Function<RedisServer, String> announced;
    private final Function<Function<RedisServer, String>, String> url;
    private final Map<RedisServer, FaultProxy> proxies = new LinkedHashMap<>();

    private Detours(Function<RedisServer, String> announced, Function<Function<RedisServer, String>, String> url) {
        this.announced = announced;
        this.url = url;
    }

    static Detours around(SentinelGroup group) {
        Detours detours = new Detours(
                group::addressOf,
                addressOf -> group.url(group.sentinels().stream().map(addressOf).toList()));
        return detours.filled(() -> {
            group.servers().forEach(server -> detours.proxies.put(server, FaultProxy.to(server)));
            group.sentinels()
                    .forEach(sentinel ->
                            detours.proxies.put(sentinel, FaultProxy.to(sentinel.host(), group.portOf(sentinel))));
        });
    }

    /**
     * @param nodes those of the cluster, and the spare ones
     */
    static Detours around(ServerCluster cluster, List<RedisServer> nodes) {
        Detours detours = new Detours(cluster::addressOf, cluster::url);
        return detours.filled(() -> nodes.forEach(node -> detours.proxies.put(node, FaultProxy.to(node))));
    }

    private Detours filled(Runnable fill) {
        try {
            fill.run();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * What the client has to connect to in place of what is announced: both as {@code host:port}, of each server and of each
     * Sentinel.
     */
    public Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        proxies.forEach((node, proxy) -> addresses.put(announced.apply(node), addressOf(proxy)));
        return addresses;
    }

    /** The address of the group or of the cluster, with the proxies in place of its Sentinels or of its nodes. */
    public String url() {
        return url.apply(node -> addressOf(to(node)));
    }

    /** The proxy in front of a node. */
    public FaultProxy to(RedisServer node) {
        FaultProxy proxy = proxies.get(node);
        if (proxy == null) {
            throw new IllegalArgumentException("node: " + node + " (expected: one of " + proxies.keySet() + ")");
        }
        return proxy;
    }

    /** Cuts the client off from a node: both directions are kept back, and new connections are never answered. */
    public void partition(RedisServer node) {
        to(node).blackhole();
    }

    /** Ends every fault on the way to a node; what was kept back is delivered late. */
    public void heal(RedisServer node) {
        to(node).heal();
    }

    /** Closes the proxies. */
    @Override
    public void close() {
        proxies.values().forEach(FaultProxy::close);
    }

    @Override
    public String toString() {
        return addresses().toString();
    }

    private static String addressOf(FaultProxy proxy) {
        return proxy.host() + ":" + proxy.port();
    }
}
