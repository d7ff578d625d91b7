package io.holdfast.lock.tests.sentinel;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The failover guard's term, as a server stores it (rule 86).
 *
 * @param id the replication id under which the server grants locks
 * @param epoch the Sentinels' epoch
 * @param sinceMicros when it began, by the server's clock
 */
record Term(String id, String epoch, long sinceMicros) {

    private static final String KEY = "holdfast:term";

    static Optional<Term> at(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            Map<String, String> stored = raw.map("HGETALL", KEY);
            return stored.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Term(stored.get("id"), stored.get("epoch"), Long.parseLong(stored.get("since"))));
        }
    }

    /** How long the server has been in its term. */
    static Duration age(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            long since = Long.parseLong(String.valueOf(raw.text("HGET", KEY, "since")));
            return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(nowMicros(raw) - since));
        }
    }

    /** Whether the server is in a term of its own, and not in that of the server which it has copied. */
    static boolean isOwn(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return replicationId(raw).equals(raw.text("HGET", KEY, "id"));
        }
    }

    /** As if clients had used the group for long: the pause of its first use would be over. */
    static void beginLongAgo(SentinelGroup group) {
        try (RawRedis sentinel = group.sentinels().get(0).connect();
                RawRedis raw = group.primary().connect()) {
            String epoch = sentinel.map("SENTINEL", "MASTER", group.name()).get("config-epoch");
            long longAgo = nowMicros(raw) - TimeUnit.HOURS.toMicros(1);
            raw.command("HSET", KEY, "id", replicationId(raw), "epoch", epoch, "since", Long.toString(longAgo));
        }
    }

    private static String replicationId(RawRedis raw) {
        return raw.info("replication").get("master_replid");
    }

    private static long nowMicros(RawRedis raw) {
        List<String> time = raw.list("TIME");
        return TimeUnit.SECONDS.toMicros(Long.parseLong(time.get(0))) + Long.parseLong(time.get(1));
    }
}
