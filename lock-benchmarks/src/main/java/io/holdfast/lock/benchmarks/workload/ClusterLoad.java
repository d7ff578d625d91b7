package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Threads that take and give back locks of their own, all over the slots, on one server and on a cluster in turn; all clients are
 * in this process.
 */
public final class ClusterLoad implements AutoCloseable {

    /** So that each thread has locks at each primary, and as many names as threads don't all fit into a cache. */
    private static final int LOCKS_OF_A_THREAD = 64;

    private final Crew crew = new Crew();
    private final RedisServer server;
    private final ServerCluster cluster;
    private final Site single;
    private final Site spread;

    private ClusterLoad(RedisServer server, ServerCluster cluster) {
        this.server = server;
        this.cluster = cluster;
        this.single = new Site(List.of(server), List.of(server.url()), Transport.DEFAULT);
        this.spread = new Site(cluster.nodes(), List.of(cluster.url()), Transport.DEFAULT);
    }

    /** One server, and so many primaries. */
    public static ClusterLoad start(int primaries) {
        RedisServer server = RedisServer.start();
        try {
            return new ClusterLoad(server, ServerCluster.start(primaries, 0));
        } catch (RuntimeException failed) {
            server.close();
            throw failed;
        }
    }

    /**
     * What a lock and its unlock cost in one round.
     *
     * @param clientMicros processor time of this process
     * @param perSecond locks
     * @param calls script calls that the servers executed
     */
    public record Cost(double clientMicros, double perSecond, double calls) {}

    /** One round of a client, on the cluster or on the one server. */
    public Cost round(PeerKind kind, boolean onCluster, int threads, long millis) {
        Site site = onCluster ? spread : single;
        List<ClosedLoop.Operation> parties = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            parties.add(new Party(site, kind, thread));
        }
        long callsBefore = scriptCalls(site);
        Sample sample = ClosedLoop.run(crew, parties, new Round(0, millis, false), List.of());
        return new Cost(
                sample.value(Metric.CLIENT_CPU).orElse(Double.NaN),
                sample.value(Metric.THROUGHPUT).orElse(Double.NaN),
                (double) (scriptCalls(site) - callsBefore) / sample.operations());
    }

    private static long scriptCalls(Site site) {
        long calls = 0;
        for (RedisServer server : site.servers()) {
            try (RawRedis raw = server.connect()) {
                calls += raw.calls("evalsha") + raw.calls("eval");
            }
        }
        return calls;
    }

    /** Takes its locks one after the other. */
    private static final class Party implements ClosedLoop.Operation {

        private final List<PeerLock> locks;
        private int next;

        Party(Site site, PeerKind kind, int thread) {
            this.locks = IntStream.range(0, LOCKS_OF_A_THREAD)
                    .mapToObj(number -> site.peer(kind, 0).lock("load-" + thread + "-" + number, HoldMode.LEASE))
                    .toList();
        }

        @Override
        public void run(ClosedLoop.Marks marks) {
            PeerLock lock = locks.get(next);
            next = (next + 1) % locks.size();
            lock.lock();
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try (ServerCluster last = cluster;
                RedisServer first = server) {
            crew.close();
            single.close();
            spread.close();
        }
    }
}
