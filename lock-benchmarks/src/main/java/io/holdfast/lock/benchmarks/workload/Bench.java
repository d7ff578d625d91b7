package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;

/** What all workloads of a run share: the server, the clients connected to it, the threads, the effort. */
public final class Bench implements AutoCloseable {

    private final Effort effort;
    private final Crew crew = new Crew();
    private final RedisServer server = RedisServer.start();
    private final Site site;

    public Bench(Effort effort, Transport transport) {
        this.effort = effort;
        this.site = new Site(List.of(server), List.of(server.url()), transport);
    }

    public Effort effort() {
        return effort;
    }

    /** The one server, with all clients directly connected. */
    public Site site() {
        return site;
    }

    public RedisServer server() {
        return server;
    }

    Crew crew() {
        return crew;
    }

    @Override
    public void close() {
        crew.close();
        site.close();
        server.close();
    }
}
