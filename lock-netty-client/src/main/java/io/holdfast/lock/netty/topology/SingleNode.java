package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.connection.CommandEndpoint;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.EndpointListener;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.pubsub.PubSubEndpoint;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.WaitKey;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.spi.ConnectionListener;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Survey;
import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.spi.Wakeup;
import java.net.SocketAddress;
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
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Redis or Valkey server as a store of locks: a connection for scripts, and one for messages once a call waits.
 *
 * <p>All locks share the two connections; scripts are short and travel in batches, so that more connections would only
 * take turns at the one thread that runs them. Where the server has several addresses, both are to the same one.
 */
public final class SingleNode implements ConnectableBackend {

    private static final Logger log = LoggerFactory.getLogger(SingleNode.class);

    /** How much later than the connect timeout an attempt may end that had all of it. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final CommandEndpoint commands;
    private final PubSubEndpoint messages;
    private final Supplier<CompletionStage<Void>> afterClose;
    private final IoLoops loops;
    private final SurveyPlan plan;
    /** For clients that wait for replicas. */
    private final List<ReplicaRounds> replicas = new CopyOnWriteArrayList<>();

    private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    /** When {@link #connect} gives up; means nothing before it. */
    private volatile long connectByNanos;

    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Whether the server is connected. The event loop's own, like the rest of what listeners hear. */
    private boolean up;

    private volatile ServerRun run = ServerRun.UNKNOWN;

    /** Whether the server takes no call with keys of several slots. */
    private volatile boolean inCluster;

    /** Where the latest connection led; null if there was none. */
    private @Nullable SocketAddress address;

    /** The surveys under way. The event loop's own. */
    private final Set<NodeSurvey> surveys = new HashSet<>();

    /** Why the latest attempt to connect failed; null if it did not. */
    private @Nullable Fault lastFailure;

    private SingleNode(
            ConnectionSettings settings,
            SurveyPlan plan,
            Runtime runtime,
            IoLoops loops,
            Supplier<CompletionStage<Void>> afterClose) {
        this.settings = settings;
        this.plan = plan;
        this.runtime = runtime;
        this.afterClose = afterClose;
        this.loops = loops;
        this.commands = new CommandEndpoint(settings, runtime, loops, new NodeEvents());
        this.messages = new PubSubEndpoint(settings, runtime, loops, commands.loop());
    }

    /**
     * A backend for one server. It does not connect before the first call, or before {@link #connect}.
     *
     * @param plan which servers a survey asks
     * @param afterClose what else ends with this backend, such as its runtime's threads; shared ones don't
     */
    public static SingleNode open(
            ConnectionSettings settings,
            SurveyPlan plan,
            Runtime runtime,
            IoLoops loops,
            Supplier<CompletionStage<Void>> afterClose) {
        return new SingleNode(settings, plan, runtime, loops, afterClose);
    }

    @Override
    public CompletionStage<Void> connect() {
        connectByNanos = runtime.nanos() + settings.connectTimeoutNanos();
        commands.start();
        long patienceNanos = settings.connectTimeoutNanos() + GRACE_NANOS;
        commands.loop().schedule(this::giveUp, patienceNanos, TimeUnit.NANOSECONDS);
        return connected;
    }

    @Override
    public void send(ScriptCall call) {
        commands.send(call);
    }

    @Override
    public void sendAll(Collection<? extends ScriptCall> calls) {
        commands.sendAll(calls);
    }

    @Override
    public void whenRoom(IntConsumer task) {
        commands.whenRoom(task);
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        return messages.subscribe(channel, wakeup);
    }

    /** The slot if the latest server is in cluster mode, where a call must stay in one. */
    @Override
    public Object shard(int slot) {
        return inCluster ? slot : this;
    }

    @Override
    public ServerRun run() {
        return run;
    }

    /** Registers a listener; it hears at once of a connection that is up already, or that could not be had. */
    @Override
    public void listen(NodeListener listener) {
        commands.loop().execute(() -> {
            listeners.add(listener);
            Fault failure = lastFailure;
            if (up) {
                tellUp(listener);
            } else if (failure != null) {
                tellUnreachable(listener, failure);
            }
        });
    }

    @Override
    public void listenToConnections(ConnectionListener listener) {
        settings.news().listen(listener);
    }

    @Override
    public Replication replication(String key, int wanted, long timeoutNanos, boolean onDisk) {
        Wish wish = new Wish(key, wanted, timeoutNanos, onDisk);
        ReplicaRounds rounds = new ReplicaRounds(settings, runtime, loops, commands.loop(), wish, WaitKey.of(key));
        replicas.add(rounds);
        commands.loop().execute(() -> {
            if (address != null) {
                rounds.follow(address);
            }
        });
        return rounds;
    }

    @Override
    public Vouching vouching(long silenceNanos) {
        Vouching vouching = settings.whereabouts().vouching(commands.loop(), silenceNanos, commands::start);
        return vouching == null ? ConnectableBackend.super.vouching(silenceNanos) : vouching;
    }

    @Override
    public CompletionStage<List<ServerReport>> survey(Survey survey) {
        CompletableFuture<List<ServerReport>> result = new CompletableFuture<>();
        NodeSurvey asking = new NodeSurvey(commands.loop(), loops, runtime, plan, survey, result);
        try {
            commands.loop().execute(() -> {
                if (closing.get()) {
                    asking.cancel();
                    return;
                }
                surveys.add(asking);
                result.whenComplete((reports, failure) -> surveys.remove(asking));
                asking.begin(up ? address : null);
            });
        } catch (RejectedExecutionException closedMeanwhile) {
            result.complete(List.of());
        }
        return result;
    }

    @Override
    public List<NodeConnection> connections() {
        Stream<NodeConnection> own = Stream.concat(
                commands.look(),
                Stream.concat(messages.look(), replicas.stream().flatMap(ReplicaRounds::look)));
        return Stream.concat(own, settings.whereabouts().look()).toList();
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public boolean mayFailOver() {
        return settings.server().target().isOneOfSeveral();
    }

    @Override
    public String describe() {
        return settings.node();
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        if (closing.compareAndSet(false, true)) {
            commands.loop().execute(() -> List.copyOf(surveys).forEach(NodeSurvey::cancel));
            CompletionStage<Void> messagesGone = messages.close();
            CompletableFuture<?>[] replicasGone = replicas.stream()
                    .map(rounds -> rounds.close().toCompletableFuture())
                    .toArray(CompletableFuture[]::new);
            commands.close(graceNanos)
                    .thenCompose(gone -> messagesGone)
                    .thenCompose(gone -> CompletableFuture.allOf(replicasGone))
                    .thenCompose(gone -> afterClose.get())
                    .whenComplete(this::closed);
        }
        return closed;
    }

    @Override
    public String toString() {
        return "SingleNode{" + settings.node() + "}";
    }

    private void closed(@Nullable Void nothing, @Nullable Throwable failure) {
        if (failure == null) {
            closed.complete(null);
        } else {
            closed.completeExceptionally(failure);
        }
    }

    /** There is no connection in time. The attempt that ran out of it says why, if there was one. */
    private void giveUp() {
        if (!connected.isDone()) {
            Fault reason = lastFailure;
            connected.completeExceptionally(new ConnectFailedException(
                    reason == null
                            ? new Fault(Fault.Kind.UNREACHABLE, false, settings.node(), timeoutDetail())
                            : reason));
        }
    }

    /** Whether there is a server that may pass for the right one later, but hardly within a connect timeout. */
    private static boolean isWrongAddress(Fault.Kind kind) {
        return kind == Fault.Kind.READONLY || kind == Fault.Kind.SENTINEL;
    }

    private String timeoutDetail() {
        return "no answer within " + TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos()) + " ms";
    }

    private void tellUp(NodeListener listener) {
        try {
            listener.up(settings.node(), run);
        } catch (RuntimeException | Error bug) {
            failed(bug);
        }
    }

    private void tellDown(NodeListener listener, Fault fault) {
        try {
            listener.down(settings.node(), fault);
        } catch (RuntimeException | Error bug) {
            failed(bug);
        }
    }

    private void tellUnreachable(NodeListener listener, Fault fault) {
        try {
            listener.unreachable(settings.node(), fault);
        } catch (RuntimeException | Error bug) {
            failed(bug);
        }
    }

    private static void failed(Throwable bug) {
        log.error("A listener of a node failed", bug);
    }

    private final class NodeEvents implements EndpointListener {

        @Override
        public void up(ServerRun newRun, ServerIdentity identity, SocketAddress newAddress) {
            address = newAddress;
            messages.follow(newAddress, identity.shardsMessages());
            replicas.forEach(rounds -> rounds.follow(newAddress));
            up = true;
            run = newRun;
            inCluster = identity.inCluster();
            lastFailure = null;
            connected.complete(null);
            for (NodeListener listener : listeners) {
                tellUp(listener);
            }
        }

        @Override
        public void down(Fault fault) {
            up = false;
            for (NodeListener listener : listeners) {
                tellDown(listener, fault);
            }
        }

        @Override
        public void failed(Fault fault) {
            lastFailure = fault;
            for (NodeListener listener : listeners) {
                tellUnreachable(listener, fault);
            }
            if (!fault.kind().isTransient() || isWrongAddress(fault.kind())) {
                connected.completeExceptionally(new ConnectFailedException(fault));
            } else if (runtime.nanos() - connectByNanos >= 0) {
                giveUp();
            }
        }
    }
}
