package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockProvider;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.NameService;
import io.holdfast.lock.netty.connection.RedisUri;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.topology.ConnectFailedException;
import io.holdfast.lock.netty.topology.SingleNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Puts a client together: threads, a connection, and the engine above them. */
public final class NettyLockProvider extends LockProvider {

    /** Found by {@link java.util.ServiceLoader}. */
    public NettyLockProvider() {}

    @Override
    protected LockClient connect(String url, ClientOptions options) {
        Objects.requireNonNull(options, "options");
        ConnectionSettings settings = settings(RedisUri.parse(Objects.requireNonNull(url, "url")), options);
        NettyRuntime runtime = NettyRuntime.start(
                options.clientName(), options.ioThreads(), options.transport(), options.callbackExecutor());
        SingleNode node = SingleNode.open(settings, runtime, runtime.loops(), runtime::close);
        String clientId = UUID.randomUUID().toString();
        try {
            if (options.lazy()) {
                return EngineClient.over(node, options, clientId);
            }
            CompletionStage<Void> connecting = node.connect();
            // Before the wait, not after it: the engine's classes are loaded while the event loop connects.
            LockClient client = EngineClient.over(node, options, clientId);
            awaitConnection(node, connecting.toCompletableFuture());
            return client;
        } catch (RuntimeException | Error failed) {
            node.close(0);
            throw failed;
        }
    }

    @Override
    protected LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(quorum, "quorum");
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("urls: none (expected: one for each node, 3 or 5 of them)");
        }
        List<ConnectionSettings> all = new ArrayList<>();
        for (String url : urls) {
            try {
                all.add(settings(RedisUri.parse(url), options));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "url number " + (all.size() + 1) + ": " + Printable.message(malformed.getMessage()), malformed);
            }
        }
        NettyRuntime runtime = NettyRuntime.start(
                options.clientName(), options.ioThreads(), options.transport(), options.callbackExecutor());
        SharedClose lastOut = new SharedClose(all.size(), runtime::close);
        List<SingleNode> nodes = all.stream()
                .map(settings -> SingleNode.open(settings, runtime, runtime.loops(), lastOut::oneLess))
                .toList();
        try {
            if (!options.lazy()) {
                new MajorityAwaited(nodes).await();
            }
            return EngineClient.overQuorum(
                    nodes, options, quorum, UUID.randomUUID().toString());
        } catch (RuntimeException | Error failed) {
            nodes.forEach(node -> node.close(0));
            throw failed;
        }
    }

    @Override
    protected RLock redLock(List<RLock> locks, QuorumOptions quorum) {
        return EngineClient.redLock(locks, quorum);
    }

    @Override
    protected RLock multiLock(List<RLock> locks) {
        return EngineClient.multiLock(locks);
    }

    private static void awaitConnection(SingleNode node, CompletableFuture<Void> connecting) {
        try {
            connecting.join();
        } catch (CompletionException failed) {
            throw failure(failed.getCause(), node.describe());
        }
    }

    static RuntimeException failure(@Nullable Throwable cause, String node) {
        if (!(cause instanceof ConnectFailedException failed)) {
            return new IllegalStateException("connecting to " + node + " failed", cause);
        }
        Fault fault = failed.fault();
        FailureReason reason = FailureReason.valueOf(fault.kind().name());
        String message = "cannot connect to " + node + ": " + reason + ": " + fault.detail();
        if (fault.kind().isTransient()) {
            return new LockUnavailableException(message, "", "", node, reason, null);
        }
        return new LockServerException(message, "", "", node, reason, null);
    }

    private static ConnectionSettings settings(RedisUri server, ClientOptions options) {
        return new ConnectionSettings(
                server,
                options.clientName(),
                NameService.SYSTEM,
                options.connectTimeout().toNanos(),
                options.commandTimeout().toNanos(),
                options.heartbeat().toNanos(),
                options.backoffMin().toNanos(),
                options.backoffMax().toNanos(),
                options.queueLimit(),
                RespLimits.DEFAULT);
    }
}
