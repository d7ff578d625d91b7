package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks replicas for one client, each time those of the node that has granted (rule 85): each node has a connection of its own for
 * that, and a round of its own under way, so that one whose replicas are away concerns no other.
 */
final class NodeReplicas implements Replication {

    private final EventLoop loop;
    private final SlotTraffic slots;
    private final Wish wish;
    private final String cluster;
    private final long longestNanos;
    /** How many wait keys were chosen. The event loop's own. */
    private long keys;

    /**
     * @param longestNanos how long a node's replicas may take to be heard, at most
     * @param cluster its name for messages
     */
    NodeReplicas(EventLoop loop, SlotTraffic slots, Wish wish, long longestNanos, String cluster) {
        this.loop = loop;
        this.slots = slots;
        this.wish = wish;
        this.longestNanos = longestNanos;
        this.cluster = cluster;
    }

    @Override
    public void await(int slot, ServerRun run, Listener listener) {
        try {
            if (loop.inEventLoop()) {
                ask(slot, run, listener);
            } else {
                loop.execute(() -> ask(slot, run, listener));
            }
        } catch (RejectedExecutionException loopEnded) {
            listener.failed(new Fault(Kind.CLOSED, false, cluster, "the client is closed"));
        }
    }

    private void ask(int slot, ServerRun run, Listener listener) {
        ClusterNode granting = granting(slot, run);
        if (granting == null) {
            String detail = "another node has taken the place of the one that granted the lock";
            listener.failed(new Fault(Kind.NOREPLICAS, false, cluster, detail));
        } else {
            granting.replicas(wish, () -> new SlotWaitKey(wish.key(), granting, slots::primary, () -> ++keys))
                    .await(slot, run, listener);
        }
    }

    /** The node that a process is; of those to which calls of the slot go, of which there are two while it is being moved. */
    private @Nullable ClusterNode granting(int slot, ServerRun run) {
        return slots.nodesOf(slot).stream()
                .filter(node -> !run.isKnown() || node.run().id().equals(run.id()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public long longestNanos() {
        return longestNanos;
    }
}
