package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import java.util.stream.IntStream;

/** Several clients of one thread each, which all want one lock over a majority of several servers, and give it back at once. */
record RedLockClientsWorkload(int nodes, int clients) implements Workload {

    @Override
    public About about() {
        return About.of(
                "redlock-" + nodes + "-clients-" + clients,
                "RedLock, " + nodes + " nodes, " + clients + " clients",
                clients + " clients of one thread each want one lock over " + nodes
                        + " servers, and give it back at once. Service time of lock and unlock together, in a closed loop.",
                Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public String practice() {
        return "redlock";
    }

    @Override
    public long expectedMillis(Effort effort) {
        return Workload.super.expectedMillis(effort) + 1_500;
    }

    @Override
    public Session open(Bench bench) {
        List<RedisServer> servers =
                IntStream.range(0, nodes).mapToObj(node -> RedisServer.start()).toList();
        Site site = new Site(
                servers,
                servers.stream().map(RedisServer::url).toList(),
                bench.site().transport());
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                List<PeerLock> locks = IntStream.range(0, clients)
                        .mapToObj(client -> site.peer(kind, client).lock("crowd-" + round.number(), HoldMode.LEASE))
                        .toList();
                try {
                    return ClosedLoop.run(
                            bench.crew(),
                            locks.stream()
                                    .<ClosedLoop.Operation>map(lock -> marks -> once(lock, marks))
                                    .toList(),
                            round,
                            servers);
                } finally {
                    locks.forEach(PeerLock::close);
                }
            }

            @Override
            public boolean countsCommands() {
                return true;
            }

            @Override
            public Site site() {
                return site;
            }

            @Override
            public void close() {
                site.close();
                servers.forEach(RedisServer::close);
            }
        };
    }

    private static void once(PeerLock lock, ClosedLoop.Marks marks) {
        lock.lock();
        marks.grantedNanos = System.nanoTime();
        marks.doneNanos = System.nanoTime();
        lock.unlock();
    }
}
