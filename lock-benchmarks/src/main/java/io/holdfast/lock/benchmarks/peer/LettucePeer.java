package io.holdfast.lock.benchmarks.peer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Lettuce sending Holdfast's scripts over one shared connection, as its documentation advises. */
public final class LettucePeer implements Peer {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String acquire;
    private final String release;

    private LettucePeer(String url) {
        URI server = URI.create(url);
        acquire = LockScripts.load(server, "acquire");
        release = LockScripts.load(server, "release");
        client = RedisClient.create(url);
        connection = client.connect();
    }

    /** Lettuce takes epoll where it is there; a system property of its own, read once, keeps it from that. */
    public static LettucePeer connect(String url, Transport transport) {
        if (transport == Transport.NIO) {
            System.setProperty("io.lettuce.core.epoll", "false");
        }
        return new LettucePeer(url);
    }

    @Override
    public PeerLock lock(String name, HoldMode mode) {
        return new Lock(name);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 0, TimeUnit.SECONDS);
    }

    private final class Lock extends NaiveLock {

        private final RedisCommands<String, String> sync = connection.sync();
        private final RedisAsyncCommands<String, String> async = connection.async();
        private final String[] acquireKeys = {key, clock};
        private final String[] releaseKeys = {key};

        Lock(String name) {
            super(name, PeerKind.LETTUCE);
        }

        @Override
        public boolean tryLock() {
            nextField();
            List<Long> reply = sync.evalsha(acquire, ScriptOutputType.MULTI, acquireKeys, field, LEASE, KEEPS_TOKEN);
            return reply.get(0) == 1;
        }

        @Override
        public void unlock() {
            List<Long> reply = sync.evalsha(release, ScriptOutputType.MULTI, releaseKeys, field, "0", channel);
            require(reply.get(0) == 1, this);
        }

        @Override
        public CompletionStage<?> lockAsync(long owner) {
            nextField();
            return async.<List<Long>>evalsha(acquire, ScriptOutputType.MULTI, acquireKeys, field, LEASE, KEEPS_TOKEN)
                    .thenAccept(reply -> require(reply.get(0) == 1, this));
        }

        @Override
        public CompletionStage<?> unlockAsync(long owner) {
            return async.<List<Long>>evalsha(release, ScriptOutputType.MULTI, releaseKeys, field, "0", channel)
                    .thenAccept(reply -> require(reply.get(0) == 1, this));
        }
    }
}
