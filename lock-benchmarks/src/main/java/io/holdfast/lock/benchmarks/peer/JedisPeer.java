package io.holdfast.lock.benchmarks.peer;

import java.net.URI;
import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;

/** Jedis sending Holdfast's scripts over a pool of connections. */
public final class JedisPeer implements Peer {

    /** As many as any workload has threads, so that nobody waits for a connection. */
    private static final int MOST_CONNECTIONS = 256;

    private final JedisPooled jedis;
    private final String acquire;
    private final String release;

    private JedisPeer(String url) {
        URI server = URI.create(url);
        acquire = LockScripts.load(server, "acquire");
        release = LockScripts.load(server, "release");
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(MOST_CONNECTIONS);
        pool.setMaxIdle(MOST_CONNECTIONS);
        jedis = new JedisPooled(pool, server.getHost(), server.getPort());
    }

    public static JedisPeer connect(String url) {
        return new JedisPeer(url);
    }

    @Override
    public PeerLock lock(String name, HoldMode mode) {
        return new Lock(name);
    }

    @Override
    public void close() {
        jedis.close();
    }

    private final class Lock extends NaiveLock {

        private final List<String> acquireKeys = List.of(key, clock);
        private final List<String> releaseKeys = List.of(key);

        Lock(String name) {
            super(name, PeerKind.JEDIS);
        }

        @Override
        public boolean tryLock() {
            nextField();
            return isOne(jedis.evalsha(acquire, acquireKeys, List.of(field, LEASE, KEEPS_TOKEN)));
        }

        @Override
        public void unlock() {
            require(isOne(jedis.evalsha(release, releaseKeys, List.of(field, "0", channel))), this);
        }

        private static boolean isOne(Object reply) {
            return ((List<?>) reply).get(0).equals(1L);
        }
    }
}
