package io.holdfast.lock.examples.cache;

import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/** Two values in Redis that belong together. They are read and written one after the other, which takes a moment. */
final class Cache {

    private final JedisPool jedis;
    private final String one;
    private final String other;
    private final long workMicros;

    /** With a moment of this length between the two. */
    Cache(JedisPool jedis, String name, long workMicros) {
        this.jedis = jedis;
        this.one = name + ":one";
        this.other = name + ":other";
        this.workMicros = workMicros;
    }

    void write(String version) throws InterruptedException {
        try (Jedis connection = jedis.getResource()) {
            connection.set(one, version);
            TimeUnit.MICROSECONDS.sleep(workMicros);
            connection.set(other, version);
        }
    }

    /** Whether both are of one version. */
    boolean readsWhole() throws InterruptedException {
        try (Jedis connection = jedis.getResource()) {
            String first = connection.get(one);
            TimeUnit.MICROSECONDS.sleep(workMicros);
            return connection.get(other).equals(first);
        }
    }

    void remove() {
        try (Jedis connection = jedis.getResource()) {
            connection.del(one, other);
        }
    }
}
