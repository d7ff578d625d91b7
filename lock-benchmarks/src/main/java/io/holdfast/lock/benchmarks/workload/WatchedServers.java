package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.ServerMode;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One server, or the primaries of a cluster, and what it costs to keep many locks there under the watchdog. */
public final class WatchedServers implements AutoCloseable {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final String url;
    private final List<RedisServer> servers;
    private final Runnable end;

    private WatchedServers(String url, List<RedisServer> servers, Runnable end) {
        this.url = url;
        this.servers = servers;
        this.end = end;
    }

    /** A server that is no node of a cluster. */
    public static WatchedServers single() {
        return of(ServerMode.STANDALONE);
    }

    /** A cluster of so many primaries; if it is one, clients come by {@code redis://}, as to any server. */
    public static WatchedServers cluster(int primaries) {
        if (primaries == 1) {
            return of(ServerMode.CLUSTER);
        }
        ServerCluster cluster = ServerCluster.start(primaries, 0);
        return new WatchedServers(cluster.url(), cluster.nodes(), cluster::close);
    }

    private static WatchedServers of(ServerMode mode) {
        RedisServer server = RedisServer.builder().mode(mode).start();
        return new WatchedServers(server.url(), List.of(server), server::close);
    }

    /**
     * What 1,000 renewals cost.
     *
     * @param clientMillis processor time of the client's process
     * @param serverMillis processor time of the servers' processes
     * @param calls script calls
     * @param lost locks that are not held at the end
     */
    public record Cost(double clientMillis, double serverMillis, double calls, double lost) {}

    /** Has a process of its own take the locks and renew them, for some periods unmeasured and for as many measured. */
    public Cost measure(int locks, long leaseMillis, int periods) {
        List<String> arguments = List.of(
                PeerKind.HOLDFAST.name(),
                url,
                Transport.DEFAULT.name(),
                String.valueOf(leaseMillis),
                String.valueOf(locks));
        String duration = String.valueOf(leaseMillis * periods / 3);
        sum(raw -> String.valueOf(raw.command("FLUSHALL")).length());
        try (Child child = new Child(List.of(), WatchProgram.class, arguments)) {
            child.await("heap");
            child.tell(duration);
            child.await("cpu");
            double serverBefore = sum(WatchedServers::processorMillis);
            double callsBefore = sum(raw -> raw.calls("evalsha"));
            child.tell(duration);
            double clientMillis = Long.parseLong(child.await("cpu")) / NANOS_PER_MILLI;
            double thousands = (double) periods * locks / 1_000;
            return new Cost(
                    clientMillis / thousands,
                    (sum(WatchedServers::processorMillis) - serverBefore) / thousands,
                    (sum(raw -> raw.calls("evalsha")) - callsBefore) / thousands,
                    locks - sum(WatchedServers::held));
        }
    }

    private double sum(ToDoubleFunction<RawRedis> of) {
        double sum = 0;
        for (RedisServer server : servers) {
            try (RawRedis raw = server.connect()) {
                sum += of.applyAsDouble(raw);
            }
        }
        return sum;
    }

    private static double held(RawRedis raw) {
        return raw.list("KEYS", "*watched:*").stream()
                .filter(key -> !key.contains("token"))
                .count();
    }

    private static double processorMillis(RawRedis raw) {
        var used = raw.info("cpu");
        return MILLIS_PER_SECOND
                * (Double.parseDouble(used.get("used_cpu_user")) + Double.parseDouble(used.get("used_cpu_sys")));
    }

    @Override
    public void close() {
        end.run();
    }
}
