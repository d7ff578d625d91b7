package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.Peer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Peers;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Some servers, and the clients that are connected to them. Clients stay connected until the site is closed. */
public final class Site implements AutoCloseable {

    /** What clients send by themselves, to see whether the server is there. */
    private static final Set<String> NOT_OURS = Set.of("PING", "ECHO", "MONITOR", "INFO");

    private final List<RedisServer> servers;
    private final List<String> urls;
    private final Transport transport;
    private final Map<String, Peer> peers = new LinkedHashMap<>();

    /**
     * @param servers where the commands end up
     * @param urls where clients connect to: the servers, or what stands before them
     */
    Site(List<RedisServer> servers, List<String> urls, Transport transport) {
        this.servers = List.copyOf(servers);
        this.urls = List.copyOf(urls);
        this.transport = transport;
    }

    /** A client, connected when it is first asked for. */
    public Peer peer(PeerKind kind, int number) {
        return peers.computeIfAbsent(kind + "/" + number, key -> Peers.connect(kind, urls, transport));
    }

    List<RedisServer> servers() {
        return servers;
    }

    RedisServer server() {
        return servers.get(0);
    }

    List<String> urls() {
        return urls;
    }

    Transport transport() {
        return transport;
    }

    /** Forgets all locks. */
    void clear() {
        for (RedisServer server : servers) {
            try (RawRedis connection = server.connect()) {
                connection.command("FLUSHALL");
            }
        }
    }

    /** How many commands clients sent while something was done. */
    public long commandsDuring(Runnable something) {
        List<RedisMonitor> monitors = servers.stream().map(RedisMonitor::of).toList();
        try {
            something.run();
            Predicate<MonitoredCommand> ours = command -> !NOT_OURS.contains(command.name());
            return monitors.stream()
                    .mapToLong(
                            monitor -> monitor.commands().stream().filter(ours).count())
                    .sum();
        } finally {
            monitors.forEach(RedisMonitor::close);
        }
    }

    @Override
    public void close() {
        peers.values().forEach(Peer::close);
        peers.clear();
    }
}
