package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockProvider;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.RedisUri;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.topology.ConnectFailedException;
import io.holdfast.lock.netty.topology.SingleNode;
import io.holdfast.lock.spi.Fault;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
        if (!options.lazy()) {
            awaitConnection(node);
        }
        return EngineClient.over(node, options, UUID.randomUUID().toString());
    }

    private static void awaitConnection(SingleNode node) {
        CompletableFuture<Void> connected = node.connect().toCompletableFuture();
        try {
            connected.join();
        } catch (CompletionException failed) {
            node.close(0);
            throw failure(failed.getCause(), node.describe());
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause, String node) {
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
                options.connectTimeout().toNanos(),
                options.commandTimeout().toNanos(),
                options.heartbeat().toNanos(),
                options.backoffMin().toNanos(),
                options.backoffMax().toNanos(),
                options.queueLimit(),
                RespLimits.DEFAULT);
    }
}
