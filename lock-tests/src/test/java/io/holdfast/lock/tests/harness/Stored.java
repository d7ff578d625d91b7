package io.holdfast.lock.tests.harness;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import java.util.List;
import java.util.Map;

/** What the server stores of locks, read past the library. Names must need no escaping. */
public final class Stored {

    private static final String TOKEN_CLOCKS = "holdfast:token:";
    private static final String FOR_REPLICAS = "holdfast:wait:";
    private static final String RECORDS = "holdfast:client:";
    private static final String TURNS = "}:turns";
    private static final String TERM = "holdfast:term";

    private Stored() {}

    public static String key(String name) {
        return "holdfast:{" + name + "}";
    }

    public static boolean exists(RawRedis raw, String name) {
        return raw.integer("EXISTS", key(name)) == 1;
    }

    /** The sum of all hold counts: more than one field, or a count that is too high, shows here. */
    public static int holdCount(RawRedis raw, String name) {
        Map<String, String> hash = raw.map("HGETALL", key(name));
        hash.remove("token");
        return hash.values().stream().mapToInt(Integer::parseInt).sum();
    }

    public static long timeToLiveMillis(RawRedis raw, String name) {
        return raw.integer("PTTL", key(name));
    }

    /**
     * All keys but the token clocks and the failover guard's term, which stay for good, and those written to wait for replicas
     * and to tell of clients, or that these want a lock, which expire.
     */
    public static List<String> leftovers(RawRedis raw) {
        return raw.list("KEYS", "*").stream()
                .filter(key -> !key.startsWith(TOKEN_CLOCKS)
                        && !key.startsWith(FOR_REPLICAS)
                        && !key.startsWith(RECORDS)
                        && !key.endsWith(TURNS)
                        && !key.equals(TERM))
                .toList();
    }

    /** How many connections are subscribed to the lock's channel. */
    public static long subscribers(RawRedis raw, String name) {
        return subscribers(raw, name, "NUMSUB");
    }

    /** The same where messages are told at the node that has the lock's slot, which is so from 7.0 on. */
    public static long shardSubscribers(RawRedis raw, String name) {
        try {
            return subscribers(raw, name, "SHARDNUMSUB");
        } catch (RedisErrorReply unknown) {
            return 0;
        }
    }

    /**
     * Publishes 200 kB to the lock's channel at once, in messages that are small enough to be copied for each subscriber: Valkey
     * from 9.0 on does not count others.
     */
    public static void flood(RawRedis raw, String name) {
        raw.command(
                "EVAL",
                "for i = 1, 20 do redis.call('PUBLISH', ARGV[1], string.rep('x', 10000)) end",
                "0",
                key(name) + ":free");
    }

    private static long subscribers(RawRedis raw, String name, String question) {
        return Long.parseLong(raw.list("PUBSUB", question, key(name) + ":free").get(1));
    }
}
