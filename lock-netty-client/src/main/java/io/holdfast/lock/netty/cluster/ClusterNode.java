package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.EndpointListener;
import io.holdfast.lock.netty.connection.NodeCalls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.connection.Unsent;
import io.holdfast.lock.netty.pubsub.NodeMessages;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.WaitKey;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster: a connection for calls, one for messages and one for replicas, each from when it is first needed.
 *
 * <p>Belongs to the event loop, but for {@link #run} and {@link #name}.
 */
public final class ClusterNode {

    /** What the cluster hears of its nodes. */
    interface Listener {

        /** Whether a call that the node has refused is sent on. */
        boolean isSentOn(ClusterNode node, ScriptCall call, Fault.Kind kind, RespValue error);

        void ended(ScriptCall call);

        void overdue();

        /** The node does not take a subscription: its slot is at another one, as the error says. */
        void unsubscribed(ClusterNode node, RespValue error);

        void up(ClusterNode node);

        /** There is no connection any more, or the latest attempt has failed. */
        void lost(ClusterNode node, Fault fault, boolean wasUp);
    }

    final Target.Host host;
    final NodeCalls commands;
    final NodeMessages messages;
    private final Listener listener;
    private final ClusterNetwork network;
    /** For clients that wait for replicas, by what they want. Written on the event loop; any thread may read it. */
    private final Map<Wish, ReplicaRounds> replicas = new ConcurrentHashMap<>();

    private volatile ServerRun run = ServerRun.UNKNOWN;
    private volatile boolean up;
    /** Where the latest connection led; null if there was none. */
    private @Nullable SocketAddress address;
    /** Whether the latest thing that is known of the node is that it can't be reached. */
    private boolean lost;
    /** Why the latest attempt to connect has failed; null if it has not. */
    private @Nullable Fault trouble;
    /** Whether the latest map says that a majority calls it failed, and it may be connected nevertheless. */
    private boolean failed;

    /** Whether a map has given it slots. */
    boolean isPrimary;

    /** When the node was last handed a call, or was seen to keep holds or to be listened to. */
    long usedNanos;

    /** When it was last seen to be listened to. */
    private long listenedNanos;

    ClusterNode(Target.Host host, ClusterNetwork network, Runtime runtime, Room room, Listener listener) {
        this.host = host;
        this.listener = listener;
        this.network = network;
        this.usedNanos = runtime.nanos();
        this.listenedNanos = usedNanos;
        this.commands = network.calls(host, room, new NodeTraffic(), new NodeEvents());
        this.messages = network.messages(host, error -> listener.unsubscribed(this, error));
    }

    /** The node's address, as faults and log lines name it. Any thread. */
    public String name() {
        return Printable.of(host.node());
    }

    /** Where it is, as it is called by other nodes. Any thread. */
    public Target.Host host() {
        return host;
    }

    /** The process that the latest connection led to. Any thread. */
    public ServerRun run() {
        return run;
    }

    public boolean isUp() {
        return up;
    }

    /** What asks the node's replicas for a client; made for its first grant here. */
    ReplicaRounds replicas(Wish wish, Supplier<WaitKey> newKey) {
        ReplicaRounds present = replicas.get(wish);
        if (present != null) {
            return present;
        }
        ReplicaRounds rounds = network.replicas(host, wish, newKey.get());
        if (address != null) {
            rounds.follow(address);
        }
        replicas.put(wish, rounds);
        return rounds;
    }

    /** How the connections stand. Any thread. */
    Stream<NodeConnection> look() {
        Stream<NodeConnection> own = Stream.concat(commands.look(), messages.look());
        return Stream.concat(own, replicas.values().stream().flatMap(ReplicaRounds::look));
    }

    boolean isLost() {
        return lost || failed;
    }

    /** Why a call can't be sent to it, if it {@link #isLost}: the server's own reason where it has one. */
    Fault unreachable() {
        return Unsent.unreachable(name(), "the primary of the slot of the lock can't be reached", trouble);
    }

    /** Whether the latest map says that a majority of the primaries calls it failed. */
    boolean isFailed() {
        return failed;
    }

    /** A map tells whether a majority calls this node failed: then its connection ends, on which a call may wait for ever. */
    void mapped(boolean nowFailed) {
        if (nowFailed && !failed) {
            commands.breakOff("a majority of the cluster's primaries calls this node failed");
        }
        failed = nowFailed;
    }

    /**
     * Ends connections that have had nothing to do for so long, until they are wanted again.
     *
     * @param keepsHolds whether holds are in its slots, which may have to be renewed or released at any time
     * @param isLeft whether it has no slot any more
     */
    void restIfIdle(long now, long idleNanos, boolean keepsHolds, boolean isLeft) {
        if (messages.isWanted()) {
            listenedNanos = now;
        }
        if (messages.isWanted() || keepsHolds) {
            usedNanos = now;
        }
        String why = "nothing was to be done at this node for " + Durations.of(Duration.ofNanos(idleNanos));
        if (now - listenedNanos >= idleNanos) {
            messages.rest(why);
        }
        if (isLeft && now - usedNanos >= idleNanos) {
            leave(why);
        } else if (up && now - usedNanos >= idleNanos) {
            // A primary that is not up may be out of reach, and a client that does not try does not hear when it is
            // back.
            commands.rest(why);
            endReplicas(why);
        }
    }

    /** The node has no slot any more: its connections end, and what is in flight may have been applied. */
    void leave(String why) {
        up = false;
        lost = true;
        trouble = null;
        commands.leave(why);
        messages.rest(why);
        endReplicas(why);
    }

    /** What waits for replicas of this node proves nothing any more; the next grant here has others asked. */
    private void endReplicas(String why) {
        replicas.values().forEach(rounds -> rounds.retire(why));
        replicas.clear();
    }

    /** A node that was left is wanted again. */
    void isBack(long now) {
        lost = false;
        failed = false;
        isPrimary = false;
        usedNanos = now;
        listenedNanos = now;
    }

    /** Lets calls finish for a while, then ends the connections. */
    CompletionStage<Void> close(long graceNanos) {
        CompletableFuture<?>[] othersGone = Stream.concat(
                        Stream.of(messages.close()), replicas.values().stream().map(ReplicaRounds::close))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new);
        return commands.close(graceNanos).thenCompose(gone -> CompletableFuture.allOf(othersGone));
    }

    @Override
    public String toString() {
        return "ClusterNode{" + name() + (up ? ", up" : "") + (lost ? ", lost" : "") + '}';
    }

    private final class NodeTraffic implements Traffic {

        @Override
        public boolean isSentOn(ScriptCall call, Fault.Kind kind, RespValue error) {
            return listener.isSentOn(ClusterNode.this, call, kind, error);
        }

        @Override
        public void ended(ScriptCall call) {
            listener.ended(call);
        }

        @Override
        public void overdue() {
            listener.overdue();
        }
    }

    private final class NodeEvents implements EndpointListener {

        @Override
        public void up(ServerRun newRun, ServerIdentity identity, SocketAddress newAddress) {
            address = newAddress;
            run = newRun;
            up = true;
            lost = false;
            trouble = null;
            messages.follow(newAddress, identity.shardsMessages());
            replicas.values().forEach(rounds -> rounds.follow(newAddress));
            listener.up(ClusterNode.this);
        }

        @Override
        public void down(Fault fault) {
            // Not lost yet: connections are cut with nothing wrong, and the next attempt is on its way.
            boolean wasUp = up;
            up = false;
            listener.lost(ClusterNode.this, fault, wasUp);
        }

        @Override
        public void rested() {
            up = false;
        }

        @Override
        public void failed(Fault fault) {
            lost = true;
            trouble = fault;
            listener.lost(ClusterNode.this, fault, false);
        }
    }
}
