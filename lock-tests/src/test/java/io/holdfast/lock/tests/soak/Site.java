package io.holdfast.lock.tests.soak;

import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A server, and the bad network in front of it. Whoever hurts it has it for himself meanwhile. */
final class Site implements AutoCloseable {

    private final RedisServer server = RedisServer.builder().aof(true).start();
    private final FaultProxy proxy = FaultProxy.to(server);

    /** Held by a fault until it is over. */
    final ReentrantLock fault = new ReentrantLock();

    RedisServer server() {
        return server;
    }

    FaultProxy proxy() {
        return proxy;
    }

    /** Sends one command past the proxy. */
    void command(String... words) {
        try (RawRedis raw = server.connect()) {
            raw.command(words);
        }
    }

    /** The keys of locks that are held. */
    List<String> lockKeys() {
        try (RawRedis raw = server.connect()) {
            return raw.list("KEYS", "*").stream()
                    .filter(key -> !key.matches(".+:(token|fenced|client):\\{.*}|.+}:turns|holdfast:marker"))
                    .toList();
        }
    }

    /** The names of the connections that clients have. */
    List<String> clientConnections() {
        try (RawRedis raw = server.connect()) {
            return raw.clients().stream()
                    .map(client -> client.get("name"))
                    .filter(name -> name.startsWith("holdfast"))
                    .toList();
        }
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
