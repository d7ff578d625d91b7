package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.EndpointListener;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.connection.NodeCalls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.pubsub.NodeMessages;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.WaitKey;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.netty.resp.RespValue;
import java.util.function.Consumer;

/**
 * What is between a client and the nodes of a cluster. Which node a call is sent to, and when, is decided without it: so that is
 * the same on sockets ({@link ClusterSockets}) and in a simulated world. All methods are called on the cluster's event loop.
 */
public interface ClusterNetwork {

    /**
     * The way of calls to a node, which connects when it is first handed one.
     *
     * @param room what the queues of all nodes share
     * @param traffic hears what becomes of calls
     * @param listener hears of the connection
     */
    NodeCalls calls(Target.Host node, Room room, Traffic traffic, EndpointListener listener);

    /**
     * The subscriptions at a node.
     *
     * @param moved hears of a subscription that is refused since another node is the primary of the channel's slot
     */
    NodeMessages messages(Target.Host node, Consumer<RespValue> moved);

    /** What asks the replicas of a node for one client, with a wait key that the node takes. */
    ReplicaRounds replicas(Target.Host node, Wish wish, WaitKey key);

    /**
     * Asks a node for the map of the slots, on a connection of its own and within a bounded time.
     *
     * @param isSeed whether the user has named it, and not another node
     * @param anew whether what is remembered of the node's addresses is in doubt
     */
    Whereabouts.Search ask(Target.Host node, boolean isSeed, boolean anew, Inquiry.Asker asker, String... question);

    /** Whether connections use TLS, so that the nodes' ports for it are wanted. */
    boolean isOverTls();
}
