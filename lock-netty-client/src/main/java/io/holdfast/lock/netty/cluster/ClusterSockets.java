package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.CommandEndpoint;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.EndpointListener;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.LastLogin;
import io.holdfast.lock.netty.connection.NodeCalls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.pubsub.NodeMessages;
import io.holdfast.lock.netty.pubsub.PubSubEndpoint;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.WaitKey;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The connections to the nodes of a cluster, all of them on one event loop. */
public final class ClusterSockets implements ClusterNetwork {

    /** How long a node may take to tell the map, if it may not take less than that to be connected. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EventLoop loop;
    private final IoLoops loops;
    private final ClusterWays ways;
    private final Runtime runtime;
    private final boolean tls;
    private final LastLogin lastLogin = new LastLogin();

    /** @param tls whether all of them use TLS */
    public ClusterSockets(EventLoop loop, IoLoops loops, ClusterWays ways, Runtime runtime, boolean tls) {
        this.loop = loop;
        this.loops = loops;
        this.ways = ways;
        this.runtime = runtime;
        this.tls = tls;
    }

    @Override
    public NodeCalls calls(Target.Host node, Room room, Traffic traffic, EndpointListener listener) {
        return new CommandEndpoint(ways.toNode(node), runtime, loops, loop, room, traffic, listener);
    }

    @Override
    public NodeMessages messages(Target.Host node, Consumer<RespValue> moved) {
        return new PubSubEndpoint(ways.toNode(node), runtime, loops, loop, moved);
    }

    @Override
    public ReplicaRounds replicas(Target.Host node, Wish wish, WaitKey key) {
        return new ReplicaRounds(ways.toNode(node), runtime, loops, loop, wish, key);
    }

    @Override
    public Whereabouts.Search ask(
            Target.Host node, boolean isSeed, boolean anew, Inquiry.Asker asker, String... question) {
        ConnectionSettings settings = isSeed ? ways.toSeed(node) : ways.toNode(node);
        return new Inquiry(
                        loop,
                        loops,
                        settings,
                        runtime,
                        lastLogin,
                        Math.min(LONGEST_NANOS, settings.connectTimeoutNanos() / 2),
                        anew,
                        null,
                        asker,
                        List.<String[]>of(question))
                .begin();
    }

    @Override
    public boolean isOverTls() {
        return tls;
    }
}
