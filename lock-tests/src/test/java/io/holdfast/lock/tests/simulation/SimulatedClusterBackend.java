package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.cluster.ClusterNode;
import io.holdfast.lock.netty.cluster.ClusterTraffic;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/** A cluster as a client of the simulated world sees it: the production transport's traffic, on a simulated network. */
final class SimulatedClusterBackend implements Backend {

    private static final String NAME = "cluster";
    private static final int HEARTBEATS_PER_REST = 60;

    final SimulatedClusterNetwork network;
    private final SimulatedClient client;
    private final ClusterTraffic traffic;
    private final List<NodeListener> listeners = new ArrayList<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;

    SimulatedClusterBackend(SimulatedClient client, SimulatedCluster cluster, boolean fences) {
        this.client = client;
        this.network = new SimulatedClusterNetwork(client, cluster, fences);
        this.traffic = new ClusterTraffic(
                new SimulatedLoop(client),
                client.runtime,
                network,
                cluster.seeds(),
                client.options.queueLimit(),
                client.options.commandTimeout().toNanos(),
                HEARTBEATS_PER_REST * client.options.heartbeat().toNanos(),
                NAME,
                new ClusterEvents());
        traffic.start();
    }

    @Override
    public void send(ScriptCall call) {
        traffic.send(call);
    }

    @Override
    public void sendAll(Collection<? extends ScriptCall> calls) {
        traffic.sendAll(calls);
    }

    @Override
    public void whenRoom(IntConsumer task) {
        traffic.whenRoom(task);
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        return traffic.subscribe(slot, channel, wakeup);
    }

    @Override
    public void keeps(int slot, int more) {
        traffic.keeps(slot, more);
    }

    @Override
    public Object shard(int slot) {
        return slot;
    }

    @Override
    public Object keeper(int slot) {
        ClusterNode primary = traffic.primary(slot);
        return primary == null ? this : primary;
    }

    @Override
    public List<Integer> parts() {
        return traffic.parts();
    }

    @Override
    public ServerRun run() {
        return ServerRun.UNKNOWN;
    }

    @Override
    public ServerRun run(int slot) {
        ClusterNode primary = traffic.primary(slot);
        return primary == null ? ServerRun.UNKNOWN : primary.run();
    }

    @Override
    public void listen(NodeListener listener) {
        client.world.after(0, client, () -> {
            listeners.add(listener);
            traffic.nodes().stream().filter(ClusterNode::isUp).forEach(node -> listener.up(node.name(), node.run()));
        });
    }

    @Override
    public boolean mayFailOver() {
        return true;
    }

    @Override
    public Runtime runtime() {
        return client.runtime;
    }

    @Override
    public String describe() {
        return NAME;
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        if (!closing) {
            closing = true;
            traffic.close(graceNanos).thenRun(() -> closed.complete(null));
        }
        return closed;
    }

    @Override
    public String toString() {
        return NAME;
    }

    private final class ClusterEvents implements ClusterTraffic.Listener {

        @Override
        public void mapped() {
            // Calls are sent from the beginning, and wait for this.
        }

        @Override
        public void unmapped(Fault fault) {
            // The next round of questions is on its way.
        }

        @Override
        public void led(BitSet slots) {
            listeners.forEach(listener -> listener.led(slots));
        }

        @Override
        public void up(ClusterNode node) {
            listeners.forEach(listener -> listener.up(node.name(), node.run()));
        }

        @Override
        public void down(ClusterNode node, Fault fault, boolean wasLast) {
            if (wasLast) {
                listeners.forEach(listener -> listener.down(node.name(), fault));
            }
        }

        @Override
        public void unreachable(ClusterNode node, Fault fault) {
            listeners.forEach(listener -> listener.unreachable(node.name(), fault));
        }
    }
}
