package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.topology.ConnectFailedException;
import io.holdfast.lock.netty.topology.ConnectableBackend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.spi.client.LockProvider;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts a client together: what it connects to, and the engine above that. */
public final class NettyLockProvider extends LockProvider {

    /** Found by {@link java.util.ServiceLoader}. */
    public NettyLockProvider() {}

    @Override
    public LockClient connect(String url, ClientOptions options) {
        ConnectableBackend node = open(url, options);
        try {
            if (options.lazy()) {
                return Clients.over(node, options);
            }
            CompletionStage<Void> connecting = node.connect();
            // Before the wait, not after it: the engine's classes are loaded while the event loop connects.
            LockClient client = Clients.over(node, options);
            awaitConnection(node, connecting.toCompletableFuture());
            return client;
        } catch (RuntimeException | Error failed) {
            node.close(0);
            throw failed;
        }
    }

    @Override
    public CompletableFuture<LockClient> connectAsync(String url, ClientOptions options) {
        ConnectableBackend node = open(url, options);
        try {
            CompletionStage<Void> connecting =
                    options.lazy() ? CompletableFuture.completedFuture(null) : node.connect();
            LockClient client = Clients.over(node, options);
            return promised(
                    connecting,
                    node.runtime(),
                    () -> client,
                    failure -> failure(failure, node.describe()),
                    List.of(node));
        } catch (RuntimeException | Error failed) {
            node.close(0);
            throw failed;
        }
    }

    private static ConnectableBackend open(String url, ClientOptions options) {
        Objects.requireNonNull(options, "options");
        RedisUri server = ServerAddresses.of(Objects.requireNonNull(url, "url"), options);
        return ClientConnections.open(List.of(server), options).get(0);
    }

    @Override
    public LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        List<ConnectableBackend> nodes = openAll(urls, options, quorum);
        try {
            if (!options.lazy()) {
                new MajorityAwaited(nodes).await();
            }
            return Clients.overQuorum(nodes, options, quorum);
        } catch (RuntimeException | Error failed) {
            nodes.forEach(node -> node.close(0));
            throw failed;
        }
    }

    @Override
    public CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum) {
        List<ConnectableBackend> nodes = openAll(urls, options, quorum);
        try {
            CompletionStage<Void> connecting =
                    options.lazy() ? CompletableFuture.completedFuture(null) : new MajorityAwaited(nodes).start();
            return promised(
                    connecting,
                    nodes.get(0).runtime(),
                    () -> Clients.overQuorum(nodes, options, quorum),
                    NettyLockProvider::unchecked,
                    nodes);
        } catch (RuntimeException | Error failed) {
            nodes.forEach(node -> node.close(0));
            throw failed;
        }
    }

    private static List<ConnectableBackend> openAll(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(quorum, "quorum");
        return ClientConnections.open(ServerAddresses.ofQuorum(urls, options), options);
    }

    /**
     * The client, when its nodes are connected, on a thread that may block. If they can't be, or the caller has given up,
     * they are closed.
     */
    private static CompletableFuture<LockClient> promised(
            CompletionStage<Void> connecting,
            Runtime runtime,
            Supplier<LockClient> client,
            Function<@Nullable Throwable, RuntimeException> failure,
            List<ConnectableBackend> nodes) {
        CompletableFuture<LockClient> promise = new CompletableFuture<>();
        // At once where it is cancelled: an attempt to connect that hangs would go on for as long as it may.
        promise.whenComplete((connected, failed) -> {
            if (failed != null) {
                nodes.forEach(node -> node.close(0));
            }
        });
        connecting.whenComplete((nothing, failed) -> runtime.callbacks().execute(() -> {
            try {
                if (failed != null) {
                    throw failure.apply(failed instanceof CompletionException wrapped ? wrapped.getCause() : failed);
                }
                LockClient connected = client.get();
                if (!promise.complete(connected)) {
                    connected.close();
                }
            } catch (RuntimeException | Error unusable) {
                nodes.forEach(node -> node.close(0));
                promise.completeExceptionally(unusable);
            }
        }));
        return promise;
    }

    private static RuntimeException unchecked(@Nullable Throwable failure) {
        return failure instanceof RuntimeException known
                ? known
                : new IllegalStateException("connecting failed", failure);
    }

    private static void awaitConnection(ConnectableBackend node, CompletableFuture<Void> connecting) {
        try {
            connecting.get();
        } catch (ExecutionException failed) {
            throw failure(failed.getCause(), node.describe());
        } catch (InterruptedException interrupted) {
            throw interrupted(node.describe(), interrupted);
        }
    }

    /** The caller of {@code connect} was interrupted. It keeps the flag: no method of ours that connects throws the exception. */
    static LockUnavailableException interrupted(String node, InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new LockUnavailableException(
                "connecting to " + Printable.message(node) + ": interrupted",
                "",
                "",
                node,
                FailureReason.WITHDRAWN,
                interrupted);
    }

    static RuntimeException failure(@Nullable Throwable cause, String node) {
        if (!(cause instanceof ConnectFailedException failed)) {
            return new IllegalStateException("connecting to " + Printable.of(node) + " failed", cause);
        }
        Fault fault = failed.fault();
        FailureReason reason = FailureReason.valueOf(fault.kind().name());
        // Of several servers, such as those that Sentinels name, the one that was tried.
        String tried = fault.node().equals(node) ? "" : " at " + fault.node();
        String message = "cannot connect to " + node + ": " + reason + tried + ": " + fault.detail();
        if (fault.kind().isTransient()) {
            return new LockUnavailableException(message, "", "", fault.node(), reason, null);
        }
        return new LockServerException(message, "", "", fault.node(), reason, null);
    }
}
