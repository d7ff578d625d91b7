package io.holdfast.lock.examples;

import java.net.URI;
import java.time.Duration;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

/** Connections of the other client, for whatever the examples do beside locking. */
public final class JedisConnections {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(10).toMillis();

    private JedisConnections() {}

    /** A pool of at most this many connections, the first of them tried. */
    public static JedisPool open(URI url, int connections) {
        JedisPoolConfig config = new JedisPoolConfig();
        config.setJmxEnabled(false);
        config.setMaxTotal(connections);
        config.setMaxIdle(connections);
        JedisPool pool = new JedisPool(config, url, TIMEOUT_MILLIS);
        try (Jedis jedis = pool.getResource()) {
            jedis.ping();
        }
        return pool;
    }
}
