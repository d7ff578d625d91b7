package io.holdfast.lock.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ways of one client to the servers and the Sentinels of a {@link SentinelGroup}: a {@link FaultProxy} in front of each,
 * so that this client, and no other, can be cut off from one of them.
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
    private final SentinelGroup group;
    private final Map<RedisServer, FaultProxy> proxies = new LinkedHashMap<>();

    private Detours(SentinelGroup group) {
        this.group = group;
    }

    static Detours around(SentinelGroup group) {
        Detours detours = new Detours(group);
        try {
            group.servers().forEach(server -> detours.proxies.put(server, FaultProxy.to(server)));
            group.sentinels()
                    .forEach(sentinel ->
                            detours.proxies.put(sentinel, FaultProxy.to(sentinel.host(), group.portOf(sentinel))));
            return detours;
        } catch (RuntimeException e) {
            detours.close();
            throw e;
        }
    }

    /**
     * What the client has to connect to in place of what the group announces: both as {@code host:port}, of each server and
     * of each Sentinel.
     */
    public Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        proxies.forEach((node, proxy) -> addresses.put(group.addressOf(node), addressOf(proxy)));
        return addresses;
    }

    /** The address of the group whose Sentinels are those behind the proxies. */
    public String url() {
        return group.url(
                group.sentinels().stream().map(node -> addressOf(to(node))).toList());
    }

    /** The proxy in front of a server or a Sentinel. */
    public FaultProxy to(RedisServer node) {
        FaultProxy proxy = proxies.get(node);
        if (proxy == null) {
            throw new IllegalArgumentException(
                    "node: " + node + " (expected: a server or a Sentinel of " + group + ")");
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
