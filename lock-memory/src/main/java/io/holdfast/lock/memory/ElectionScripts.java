package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scripts of elections. */
final class ElectionScripts {

    private static final String ID = "id";
    private static final String VALUE = "value";
    private static final String VERSION = "version";

    private ElectionScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("proclaim", ElectionScripts::proclaim);
        bodies.put("observe", ElectionScripts::observe);
    }

    /** The record of who leads. */
    private record Leader(String token, double version, String id, String value) {

        static @Nullable Leader read(Keyspace store, String key) {
            if (!store.exists(key)) {
                return null;
            }
            if (store.isHash(key)) {
                String token = store.hget(key, LockScripts.TOKEN);
                Double version = Numbers.of(store.hget(key, VERSION));
                String id = store.hget(key, ID);
                String value = store.hget(key, VALUE);
                if (token != null && version != null && id != null && value != null) {
                    return new Leader(token, version, id, value);
                }
            }
            throw new Refusal(
                    Fault.Kind.WRONGTYPE,
                    "WRONGTYPE " + MemoryReply.utf8(key) + " holds a " + store.type(key)
                            + " (expected: the leader of an election)");
        }

        boolean isOf(@Nullable String lockToken) {
            return token.equals(lockToken);
        }
    }

    private static Object proclaim(Keyspace store, Words words) {
        String lock = words.key(0);
        String key = words.key(1);
        boolean holds = store.hexists(lock, words.arg(0));
        String token = store.hget(lock, LockScripts.TOKEN);
        if (!holds || token == null) {
            return 0L;
        }
        Leader leader = Leader.read(store, key);
        long stays = Math.max(Numbers.integer(words.arg(4)), store.pttl(lock));
        store.pexpire(key, stays);
        if (leader == null || !leader.isOf(token) || leader.version < Numbers.required(words.arg(3))) {
            store.hset(key, LockScripts.TOKEN, token);
            store.hset(key, ID, words.arg(1));
            store.hset(key, VALUE, words.arg(2));
            store.hset(key, VERSION, words.arg(3));
            store.pexpire(key, stays);
            store.publish(words.arg(5), token);
        }
        return 1L;
    }

    private static Object observe(Keyspace store, Words words) {
        String lock = words.key(0);
        String token = store.hget(lock, LockScripts.TOKEN);
        Leader leader = Leader.read(store, words.key(1));
        Double number = Numbers.of(token);
        long shown = number == null ? 0 : number.longValue();
        return leader == null || !leader.isOf(token)
                ? List.of(shown, store.pttl(lock))
                : List.of(shown, store.pttl(lock), (long) leader.version, leader.id, leader.value);
    }
}
