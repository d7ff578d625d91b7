package io.holdfast.lock.examples.permits;

import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/** A number that is counted down and up: the usual way, and nobody owns what was taken. */
record CounterLimit(JedisPool jedis, String key) implements ConnectionLimit {

    private static final String TAKE = "local left = tonumber(redis.call('GET', KEYS[1]) or 0)"
            + " return left > 0 and redis.call('DECR', KEYS[1]) and 1 or 0";

    private static final long LOOK_MILLIS = 5;

    @Override
    public void take() throws InterruptedException {
        while (!isTaken()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private boolean isTaken() {
        try (Jedis connection = jedis.getResource()) {
            return connection.eval(TAKE, List.of(key), List.of()).equals(1L);
        }
    }

    @Override
    public void giveBack() {
        try (Jedis connection = jedis.getResource()) {
            connection.incr(key);
        }
    }
}
