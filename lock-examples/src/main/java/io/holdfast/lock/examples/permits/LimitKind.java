package io.holdfast.lock.examples.permits;

import io.holdfast.lock.LockClient;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/** The ways of limiting that are compared. */
enum LimitKind {
    COUNTER("counter", "What a process had taken when it was killed is missing for good.") {
        @Override
        ConnectionLimit open(LockClient client, JedisPool jedis, String name) {
            return new CounterLimit(jedis, name);
        }

        @Override
        void set(LockClient client, JedisPool jedis, String name, int limit) {
            try (Jedis connection = jedis.getResource()) {
                connection.set(name, String.valueOf(limit));
            }
        }

        @Override
        void remove(JedisPool jedis, String name) {
            delete(jedis, name);
        }
    },
    PERMITS(
            "permits",
            "Each permit has a lease, which is renewed while its process lives. A call of the killed process that waited for its"
                    + " turn costs a second more.") {
        @Override
        ConnectionLimit open(LockClient client, JedisPool jedis, String name) {
            return new PermitLimit(client.getSemaphore(name));
        }

        @Override
        void set(LockClient client, JedisPool jedis, String name, int limit) {
            client.getSemaphore(name).trySetPermits(limit);
        }

        /** Permits go by themselves. A limit is configuration, and stays; this one had one use. */
        @Override
        void remove(JedisPool jedis, String name) {
            delete(jedis, "holdfast:{" + name + "}:limit");
        }
    };

    private final String label;
    private final String remark;

    LimitKind(String label, String remark) {
        this.label = label;
        this.remark = remark;
    }

    String label() {
        return label;
    }

    String remark() {
        return remark;
    }

    /** As a process uses it. */
    abstract ConnectionLimit open(LockClient client, JedisPool jedis, String name);

    /** Says how many connections may be open. */
    abstract void set(LockClient client, JedisPool jedis, String name, int limit);

    /** Takes away what it has left at the server. */
    abstract void remove(JedisPool jedis, String name);

    private static void delete(JedisPool jedis, String key) {
        try (Jedis connection = jedis.getResource()) {
            connection.del(key);
        }
    }
}
