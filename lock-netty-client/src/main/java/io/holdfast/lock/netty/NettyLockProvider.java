package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.netty.address.HostWhereabouts;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.SocketFileWhereabouts;
import io.holdfast.lock.netty.address.SystemNames;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.netty.topology.ConnectFailedException;
import io.holdfast.lock.netty.topology.PrimaryOf;
import io.holdfast.lock.netty.topology.SingleNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.spi.client.LockProvider;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts a client together: threads, a connection, and the engine above them. */
public final class NettyLockProvider extends LockProvider {

    /** Shared by all clients, so that no two of them use a spelling of a name twice. */
    private static final NameService NAMES = new SystemNames();

    /** Found by {@link java.util.ServiceLoader}. */
    public NettyLockProvider() {}

    @Override
    public LockClient connect(String url, ClientOptions options) {
        SingleNode node = open(url, options);
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
        SingleNode node = open(url, options);
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

    private static SingleNode open(String url, ClientOptions options) {
        Objects.requireNonNull(options, "options");
        RedisUri server = checked(RedisUri.parse(Objects.requireNonNull(url, "url")), options);
        ClientTls tls = tls(List.of(server), options);
        NettyRuntime runtime = runtime(options);
        ClientLogins logins = new ClientLogins(options, runtime);
        return SingleNode.open(
                settings(server, options, tls, runtime, logins), runtime, runtime.loops(), logins::closeAll);
    }

    @Override
    public LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        List<SingleNode> nodes = openAll(urls, options, quorum);
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
        List<SingleNode> nodes = openAll(urls, options, quorum);
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

    private static List<SingleNode> openAll(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(quorum, "quorum");
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("urls: none (expected: one for each node, 3 or 5 of them)");
        }
        List<RedisUri> all = new ArrayList<>();
        for (String url : urls) {
            try {
                all.add(nodeOfQuorum(url, options));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "url number " + (all.size() + 1) + ": " + Printable.message(malformed.getMessage()), malformed);
            }
        }
        ClientTls tls = tls(all, options);
        NettyRuntime runtime = runtime(options);
        ClientLogins logins = new ClientLogins(options, runtime);
        SharedClose lastOut = new SharedClose(all.size(), logins::closeAll);
        return all.stream()
                .map(server -> settings(server, options, tls, runtime, logins))
                .map(settings -> SingleNode.open(settings, runtime, runtime.loops(), lastOut::oneLess))
                .toList();
    }

    /** A quorum counts servers: behind an address that may lead to another server, one that knows nothing may vote. */
    private static RedisUri nodeOfQuorum(String url, ClientOptions options) {
        RedisUri server = RedisUri.parse(url);
        if (server.target().isOneOfSeveral()) {
            throw new IllegalArgumentException(
                    "address: leads to one of several servers (expected: one server for each node of a quorum, redis://"
                            + " or unix://)");
        }
        return checked(server, options);
    }

    private static RedisUri checked(RedisUri server, ClientOptions options) {
        checkServed(server);
        if (server.password() != null && options.credentials().isPresent()) {
            throw new IllegalArgumentException("url: " + server
                    + " (expected: no password, since ClientOptions.credentials says who the client is)");
        }
        return server;
    }

    private static NettyRuntime runtime(ClientOptions options) {
        return NettyRuntime.start(
                options.clientName(), options.ioThreads(), options.transport(), options.callbackExecutor());
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
            List<SingleNode> nodes) {
        CompletableFuture<LockClient> promise = new CompletableFuture<>();
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

    /** What secures the connections of a client, read now; null if none of its servers speaks TLS. */
    private static @Nullable ClientTls tls(List<RedisUri> servers, ClientOptions options) {
        boolean anyPlain = servers.stream().anyMatch(server -> !server.tls());
        if (anyPlain && !options.tls().equals(TlsOptions.defaults())) {
            throw new IllegalArgumentException(
                    "tls: options for an address without TLS (expected: an address that begins with rediss://, or no options"
                            + " of TLS)");
        }
        return servers.stream().anyMatch(RedisUri::tls) ? ClientTls.open(options.tls(), options.clientName()) : null;
    }

    private static ConnectionSettings settings(
            RedisUri server,
            ClientOptions options,
            @Nullable ClientTls tls,
            NettyRuntime runtime,
            ClientLogins logins) {
        return new ConnectionSettings(
                server,
                logins.of(server),
                options.clientName(),
                server.tls() ? tls : null,
                whereabouts(server, options, tls, runtime, logins),
                options.connectTimeout().toNanos(),
                options.commandTimeout().toNanos(),
                options.heartbeat().toNanos(),
                options.backoffMin().toNanos(),
                options.backoffMax().toNanos(),
                options.queueLimit(),
                RespLimits.DEFAULT);
    }

    /** Refuses what an address can say and no class does yet, before anything is opened. */
    private static void checkServed(RedisUri server) {
        if (server.target() instanceof Target.Sentinels) {
            throw notServed("Sentinel is");
        }
    }

    private static IllegalArgumentException notServed(String what) {
        return new IllegalArgumentException(
                "address: " + what + " not served by this version (expected: redis://, unix:// or redis-replicas://)");
    }

    private static Whereabouts whereabouts(
            RedisUri server,
            ClientOptions options,
            @Nullable ClientTls tls,
            NettyRuntime runtime,
            ClientLogins logins) {
        if (!(server.target() instanceof Target.Replicas group)) {
            return whereabouts(server.target(), NAMES, options.clientName());
        }
        List<ConnectionSettings> each = group.seeds().stream()
                .map(seed -> settings(server.of(seed), options, tls, runtime, logins))
                .toList();
        return new PrimaryOf(each, runtime.loops(), runtime);
    }

    /** Where one server is. */
    static Whereabouts whereabouts(Target target, NameService names, String clientName) {
        if (target instanceof Target.SocketFile file) {
            return new SocketFileWhereabouts(file);
        }
        return new HostWhereabouts((Target.Host) target, names, clientName);
    }
}
