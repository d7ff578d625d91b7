package io.holdfast.lock.testkit;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Several independent servers, as RedLock wants them: they know nothing of each other.
 *
 * <pre>{@code
 * try (RedisServers nodes = RedisServers.start(5)) {
 *     List<MyClient> clients = nodes.stream().map(node -> MyClient.connect(node.url())).toList();
 *     nodes.get(0).kill();
 * }
 * }</pre>
 */
public final class RedisServers extends AbstractList<RedisServer> implements AutoCloseable {
    private final List<RedisServer> servers;

    private RedisServers(List<RedisServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Starts servers with default settings. */
    public static RedisServers start(int count) {
        return start(count, builder -> builder);
    }

    /** Starts servers that all have the same settings; a port of its own is chosen for each. */
    public static RedisServers start(int count, UnaryOperator<RedisServerBuilder> settings) {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count + " (expected: > 0)");
        }
        List<RedisServer> started = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                started.add(settings.apply(RedisServer.builder()).start());
            }
        } catch (RuntimeException e) {
            started.forEach(RedisServer::close);
            throw e;
        }
        return new RedisServers(started);
    }

    /** Servers that run already; closed together. */
    static RedisServers of(List<RedisServer> started) {
        return new RedisServers(started);
    }

    /** Starts servers at the same time; all or none. */
    static RedisServers startTogether(List<Supplier<RedisServer>> starts) {
        ExecutorService threads = Executors.newFixedThreadPool(starts.size());
        List<CompletableFuture<RedisServer>> starting = starts.stream()
                .map(start -> CompletableFuture.supplyAsync(start, threads))
                .toList();
        threads.shutdown();
        List<RedisServer> started = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (CompletableFuture<RedisServer> server : starting) {
            try {
                started.add(server.join());
            } catch (CompletionException e) {
                failures.add(e.getCause() instanceof RuntimeException failure ? failure : e);
            }
        }
        RedisServers servers = new RedisServers(started);
        if (!failures.isEmpty()) {
            servers.close();
            throw failures.get(0);
        }
        return servers;
    }

    /** The addresses, in the order of the servers. */
    public String[] urls() {
        return servers.stream().map(RedisServer::url).toArray(String[]::new);
    }

    @Override
    public RedisServer get(int index) {
        return servers.get(index);
    }

    @Override
    public int size() {
        return servers.size();
    }

    /** Closes every server, also when closing one of them fails. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (RedisServer server : servers) {
            try {
                server.close();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
