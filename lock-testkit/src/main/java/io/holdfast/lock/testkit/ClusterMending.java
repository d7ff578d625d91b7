package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Brings back the slots and the roles of a cluster whose nodes are empty. It is quicker than forming it anew, after which the
 * masters hold back for as long as a node timeout.
 */
final class ClusterMending {
    /** A node that was started again finds its place in that time, or never. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** With more of them, forming the cluster anew is quicker. */
    private static final int MOST_SLOTS_MOVED = 200;

    private final ServerCluster cluster;
    private final ClusterLayout layout;
    private final List<RedisServer> nodes;
    private final List<String> ids;

    ClusterMending(ServerCluster cluster, ClusterForming forming) {
        this.cluster = cluster;
        this.layout = forming.layout();
        this.nodes = forming.nodes();
        this.ids = forming.ids();
    }

    /** Whether the cluster is as it was when it was formed; false if that needs more. */
    boolean succeeds() {
        if (!isSettledSoon()) {
            return false;
        }
        ClusterViews views = ClusterViews.of(nodes);
        if (layout.isOf(ids, views)) {
            return true;
        }
        closeSlots();
        if (!mastersAreBack(views) || !slotsAreBack()) {
            return false;
        }
        replicasAreBack();
        return isSettledSoon() && layout.isOf(ids, ClusterViews.of(nodes));
    }

    private boolean isSettledSoon() {
        Set<String> all = Set.copyOf(ids);
        return BoundedWait.holdsWithin(PATIENCE, () -> ClusterViews.of(nodes).areSettled(all));
    }

    private void closeSlots() {
        for (RedisServer node : nodes) {
            ClusterView.of(node).self().stream()
                    .flatMap(self -> self.openSlots().stream())
                    .forEach(slot -> ServerCluster.command(node, "CLUSTER", "SETSLOT", slot, "STABLE"));
        }
    }

    /** Each master of before, if it follows a node now that has slots of it, takes over from that node. */
    private boolean mastersAreBack(ClusterViews views) {
        for (int i = 0; i < layout.masters(); i++) {
            String follows = views.masterOf(ids.get(i)).orElse("");
            if (!follows.isEmpty()) {
                BitSet slots = views.owners().getOrDefault(follows, new BitSet());
                if (!slots.intersects(layout.slotsOf(i))) {
                    return false;
                }
                cluster.takeOver(nodes.get(i));
                // It may not have heard yet that the node which it followed was emptied.
                ServerCluster.command(nodes.get(i), "FLUSHALL");
            }
        }
        return true;
    }

    private boolean slotsAreBack() {
        ClusterViews views = ClusterViews.of(nodes);
        BitSet[] elsewhere = new BitSet[layout.masters()];
        int moved = 0;
        for (int i = 0; i < layout.masters(); i++) {
            elsewhere[i] = layout.slotsOf(i);
            elsewhere[i].andNot(views.owners().getOrDefault(ids.get(i), new BitSet()));
            moved += elsewhere[i].cardinality();
        }
        if (moved > MOST_SLOTS_MOVED) {
            return false;
        }
        for (int i = 0; i < layout.masters(); i++) {
            RedisServer master = nodes.get(i);
            elsewhere[i].stream().forEach(slot -> cluster.moveSlot(slot, master));
        }
        return true;
    }

    private void replicasAreBack() {
        ClusterViews views = ClusterViews.of(nodes);
        for (int i = layout.masters(); i < layout.size(); i++) {
            String master = ids.get(layout.masterOf(i));
            if (views.masterOf(ids.get(i)).filter(master::equals).isEmpty()) {
                ClusterForming.replicate(nodes.get(i), master);
            }
        }
    }
}
