package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.cluster.ClusterNode;
import io.holdfast.lock.netty.cluster.ClusterSockets;
import io.holdfast.lock.netty.cluster.ClusterTraffic;
import io.holdfast.lock.netty.cluster.ClusterWays;
import io.holdfast.lock.netty.connection.ConnectionNews;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.spi.ConnectionListener;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Survey;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis or Valkey Cluster as a store of locks: each lock is in one slot, at the slot's primary.
 *
 * <p>The nodes are connected when a call first needs them, all on one event loop.
 */
public final class Cluster implements ConnectableBackend {

    private static final Logger log = LoggerFactory.getLogger(Cluster.class);
    private static final String NO_MAP = "no node has told which node is the primary of which slot";

    private final Target.Nodes target;
    private final ClusterWays ways;
    private final ConnectionNews news;
    private final Runtime runtime;
    private final IoLoops loops;
    private final Supplier<CompletionStage<Void>> afterClose;
    private final long connectTimeoutNanos;
    /** What the connections to all nodes have in common. */
    private final ConnectionSettings settings;

    private final ClusterTraffic traffic;

    private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** The surveys under way. The event loop's own. */
    private final Set<ClusterSurvey> surveys = new HashSet<>();
    /** Why the latest round of questions had no answer; null if it had one. The event loop's own. */
    private @Nullable Fault lastFailure;

    /**
     * A backend for a cluster. It does not connect before the first call, or before {@link #connect}.
     *
     * @param seed what the connections to all nodes have in common
     * @param news where connections to nodes are told of
     * @param afterClose what else ends with this backend
     */
    public Cluster(
            Target.Nodes target,
            ConnectionSettings seed,
            ClusterWays ways,
            ConnectionNews news,
            Runtime runtime,
            IoLoops loops,
            Supplier<CompletionStage<Void>> afterClose) {
        this.target = target;
        this.ways = ways;
        this.news = news;
        this.runtime = runtime;
        this.loops = loops;
        this.afterClose = afterClose;
        this.connectTimeoutNanos = seed.connectTimeoutNanos();
        EventLoop loop = loops.next();
        this.traffic = new ClusterTraffic(
                loop,
                runtime,
                new ClusterSockets(loop, loops, ways, runtime, seed.tls() != null),
                target.seeds(),
                seed.queueLimit(),
                seed.commandTimeoutNanos(),
                seed.idleNanos(),
                describe(),
                new ClusterEvents());
        this.settings = seed;
    }

    /** Completes when it is known which node is the primary of which slot. */
    @Override
    public CompletionStage<Void> connect() {
        traffic.start();
        traffic.loop().schedule(this::giveUp, connectTimeoutNanos, TimeUnit.NANOSECONDS);
        return connected;
    }

    private void giveUp() {
        Fault reason = lastFailure;
        connected.completeExceptionally(new ConnectFailedException(
                reason == null ? new Fault(Fault.Kind.UNREACHABLE, false, describe(), NO_MAP) : reason));
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

    /** The slot: one call may not name keys of two. */
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
    public void keeps(int slot, int more) {
        traffic.keeps(slot, more);
    }

    /** One slot of each primary. */
    @Override
    public List<Integer> parts() {
        return traffic.parts();
    }

    /** None: each slot has its own. */
    @Override
    public ServerRun run() {
        return ServerRun.UNKNOWN;
    }

    @Override
    public ServerRun run(int slot) {
        ClusterNode primary = traffic.primary(slot);
        return primary == null ? ServerRun.UNKNOWN : primary.run();
    }

    /**
     * The slot's primary, as the nodes call it. Each client may have been given other nodes, and which process a node is is
     * known only once it is connected.
     */
    @Override
    public String server(int slot) {
        ClusterNode primary = traffic.primary(slot);
        return primary == null ? describe() : primary.name();
    }

    @Override
    public List<ServerRun> runs(int slot) {
        List<ServerRun> runs =
                traffic.nodesOf(slot).stream().map(ClusterNode::run).toList();
        return runs.isEmpty() ? List.of(ServerRun.UNKNOWN) : runs;
    }

    @Override
    public Replication replication(String key, int replicas, long timeoutNanos, boolean onDisk) {
        Wish wish = new Wish(key, replicas, timeoutNanos, onDisk);
        return traffic.replication(wish, ReplicaRounds.longestNanos(settings, wish));
    }

    @Override
    public void listen(NodeListener listener) {
        inLoop(() -> {
            listeners.add(listener);
            traffic.nodes().stream()
                    .filter(ClusterNode::isUp)
                    .forEach(node -> tell(listener, each -> each.up(node.name(), node.run())));
        });
    }

    @Override
    public void listenToConnections(ConnectionListener listener) {
        news.listen(listener);
    }

    @Override
    public CompletionStage<List<ServerReport>> survey(Survey survey) {
        CompletableFuture<List<ServerReport>> result = new CompletableFuture<>();
        if (!inLoop(() -> begin(survey, result))) {
            result.complete(List.of());
        }
        return result;
    }

    private void begin(Survey survey, CompletableFuture<List<ServerReport>> result) {
        if (closing.get()) {
            result.complete(List.of());
            return;
        }
        ClusterSurvey asking = new ClusterSurvey(traffic, ways, loops, runtime, survey, result);
        surveys.add(asking);
        result.whenComplete((reports, failure) -> surveys.remove(asking));
        Fault silence = new Fault(Fault.Kind.UNREACHABLE, false, describe(), NO_MAP);
        Share nothing = new Share(List.of(), false, null, List.of());
        asking.begin(target.seeds(), connectTimeoutNanos, ServerReport.unreachable(describe(), silence, nothing));
    }

    @Override
    public List<NodeConnection> connections() {
        return traffic.look().toList();
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public boolean mayFailOver() {
        return true;
    }

    @Override
    public String describe() {
        return Printable.of(target.node());
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        if (closing.compareAndSet(false, true)) {
            inLoop(() -> List.copyOf(surveys).forEach(ClusterSurvey::cancel));
            traffic.close(graceNanos)
                    .thenCompose(gone -> afterClose.get())
                    .whenComplete((nothing, failure) -> closed.complete(null));
        }
        return closed;
    }

    @Override
    public String toString() {
        return "Cluster{" + describe() + "}";
    }

    /** False if the loop has ended. */
    private boolean inLoop(Runnable step) {
        try {
            traffic.loop().execute(step);
            return true;
        } catch (RejectedExecutionException loopEnded) {
            return false;
        }
    }

    private static void tell(NodeListener listener, Consumer<NodeListener> news) {
        try {
            news.accept(listener);
        } catch (RuntimeException | Error bug) {
            log.error("A listener of a node failed", bug);
        }
    }

    private final class ClusterEvents implements ClusterTraffic.Listener {

        @Override
        public void mapped() {
            lastFailure = null;
            connected.complete(null);
            List.copyOf(surveys).forEach(ClusterSurvey::mapped);
        }

        @Override
        public void unmapped(Fault fault) {
            lastFailure = fault;
            List.copyOf(surveys).forEach(survey -> survey.unmapped(target.seeds(), fault));
            if (!fault.kind().isTransient()) {
                connected.completeExceptionally(new ConnectFailedException(fault));
            }
        }

        @Override
        public void led(BitSet slots) {
            listeners.forEach(listener -> tell(listener, each -> each.led(slots)));
        }

        @Override
        public void up(ClusterNode node) {
            listeners.forEach(listener -> tell(listener, each -> each.up(node.name(), node.run())));
        }

        /** Locks of other nodes go on: a cluster is down when none is connected. */
        @Override
        public void down(ClusterNode node, Fault fault, boolean wasLast) {
            if (wasLast) {
                listeners.forEach(listener -> tell(listener, each -> each.down(node.name(), fault)));
            }
        }

        @Override
        public void unreachable(ClusterNode node, Fault fault) {
            listeners.forEach(listener -> tell(listener, each -> each.unreachable(node.name(), fault)));
        }
    }
}
