package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.spi.Runtime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster that the client has to do with. Belongs to the event loop, but for {@link #all}. */
final class Nodes {

    /** What a lying node can make a client keep. A cluster has a thousand nodes at most. */
    private static final int MOST = 1_024;

    /** A node without a slot is kept for so long after its last call: the slot that it was asked for may be on its way. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** So many of those that were left are remembered. */
    private static final int MOST_LEFT = 64;

    private static final String NO_SLOT = "this node is the primary of no slot any more";

    private final Map<Target.Host, ClusterNode> byHost = new ConcurrentHashMap<>();

    /**
     * Those that were left, the latest one last. When a slot comes back to one, the next connection has those before it killed: one
     * may still have a request in its socket that the node has not read (rule 5).
     */
    private final Map<Target.Host, ClusterNode> left = new LinkedHashMap<>();

    private final Function<Target.Host, ClusterNode> connect;
    private final Runtime runtime;

    /** @param connect makes a node, which connects when it is first handed a call */
    Nodes(Function<Target.Host, ClusterNode> connect, Runtime runtime) {
        this.connect = connect;
        this.runtime = runtime;
    }

    /** The node at this address; null if there are too many. */
    @Nullable
    ClusterNode at(Target.Host host) {
        ClusterNode present = byHost.get(host);
        if (present != null || byHost.size() >= MOST) {
            return present;
        }
        ClusterNode back = left.remove(host);
        if (back != null) {
            back.isBack(runtime.nanos());
        }
        ClusterNode node = back == null ? connect.apply(host) : back;
        byHost.put(host, node);
        return node;
    }

    /** Any thread. */
    Collection<ClusterNode> all() {
        return List.copyOf(byHost.values());
    }

    /** Those that were left as well. */
    List<ClusterNode> everKnown() {
        List<ClusterNode> every = new ArrayList<>(byHost.values());
        every.addAll(left.values());
        return every;
    }

    boolean isLeft(ClusterNode node) {
        return left.get(node.host) == node;
    }

    /** A node that is connected, or else one that is not known to be out of reach; null for none. */
    @Nullable
    ClusterNode anyReachable() {
        List<ClusterNode> up = new ArrayList<>();
        List<ClusterNode> others = new ArrayList<>();
        for (ClusterNode node : byHost.values()) {
            if (!node.isLost()) {
                (node.isUp() ? up : others).add(node);
            }
        }
        List<ClusterNode> choice = up.isEmpty() ? others : up;
        return choice.isEmpty() ? null : choice.get((int) runtime.random(choice.size()));
    }

    boolean isAnyUp() {
        return byHost.values().stream().anyMatch(ClusterNode::isUp);
    }

    /** Ends the connections to nodes that have no slot any more, and to those that never had one and are not in use. */
    void keepOnly(Collection<ClusterNode> primaries) {
        long now = runtime.nanos();
        for (ClusterNode node : all()) {
            if (!primaries.contains(node) && (node.isPrimary || isUnused(node, now))) {
                byHost.remove(node.host, node);
                node.leave(NO_SLOT);
                left.put(node.host, node);
            }
        }
        while (left.size() > MOST_LEFT) {
            left.remove(left.keySet().iterator().next());
        }
    }

    private static boolean isUnused(ClusterNode node, long now) {
        return now - node.usedNanos > KEPT_NANOS && !node.messages.isWanted();
    }
}
