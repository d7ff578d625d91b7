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

/**
 * One thread and a lock over a majority of several servers, all of them healthy or the last of them hung.
 *
 * @param hung whether one server is stopped, with its connections open, while a round lasts
 */
record RedLockWorkload(int nodes, boolean hung) implements Workload {

    @Override
    public About about() {
        return About.of(
                "redlock-" + nodes + (hung ? "-hung" : ""),
                "RedLock, " + nodes + " nodes, " + (hung ? "one hung" : "healthy") + ", 1 thread",
                hung
                        ? "A lock over " + nodes
                                + " servers, one of which does not answer. Redisson takes seconds for each"
                                + " lock then, so its rounds are few and have one operation each."
                        : "A lock over " + nodes
                                + " servers on this machine: they share its processors. The bare sockets ask"
                                + " all and wait for a majority.",
                hung ? Metric.MEDIAN : Metric.THROUGHPUT);
    }

    @Override
    public List<PeerKind> peers() {
        return hung
                ? List.of(PeerKind.HOLDFAST, PeerKind.REDISSON)
                : List.of(PeerKind.HOLDFAST, PeerKind.REDISSON, PeerKind.SOCKET);
    }

    @Override
    public String practice() {
        return "redlock";
    }

    @Override
    public long expectedMillis(Effort effort) {
        return Workload.super.expectedMillis(effort) + 1_500 + (hung ? 6_500L * effort.costlyRounds() : 0);
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
                // A name of its own: what a hung server was sent is worked off later.
                PeerLock lock = site.peer(kind, 0).lock("redlock-" + round.number(), HoldMode.LEASE);
                ClosedLoop.Operation once = marks -> {
                    lock.lock();
                    lock.unlock();
                };
                boolean hangs = hung && round.number() >= 0;
                RedisServer victim = servers.get(nodes - 1);
                if (hangs) {
                    victim.pause();
                }
                try {
                    return ClosedLoop.run(bench.crew(), List.of(once), round, hangs ? List.of() : servers);
                } finally {
                    if (hangs) {
                        victim.resume();
                    }
                    lock.close();
                }
            }

            @Override
            public int rounds(PeerKind peer, Effort effort) {
                if (!hung || peer != PeerKind.REDISSON) {
                    return effort.rounds();
                }
                return effort.scale() > 1 ? 0 : effort.costlyRounds();
            }

            @Override
            public boolean countsCommands() {
                return !hung;
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
}
