package io.holdfast.lock.memory;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The scripts with one key, for locks whose slot is being moved: no store in memory moves one, but each knows all scripts. */
final class MovingScripts {

    private static final long MOST_MEMBERS = 100;

    private MovingScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("take", MovingScripts::take);
        bodies.put("mint", MovingScripts::mint);
        bodies.put("confirm", MovingScripts::confirm);
        bodies.put("leave", MovingScripts::leave);
        bodies.put("members", MovingScripts::members);
        bodies.put("tell", (store, words) -> store.publish(words.arg(0), LockScripts.RELEASED));
    }

    private static Object take(Keyspace store, Words words) {
        String lock = words.key(0);
        String field = words.arg(0);
        if (!store.exists(lock)) {
            LockScripts.enter(store, lock, field, 0, true);
            store.pexpire(lock, Numbers.integer(words.arg(1)));
            return List.of(1L, 0L);
        }
        if (store.hexists(lock, field)) {
            LockScripts.raise(store, lock, words.arg(1));
            String token = store.hget(lock, LockScripts.TOKEN);
            return LockScripts.granted(token == null ? Double.valueOf(0) : Numbers.of(token));
        }
        return List.of(0L, store.pttl(lock));
    }

    private static Object mint(Keyspace store, Words words) {
        return (long) LockScripts.mint(store, words.key(0), null, false);
    }

    private static Object confirm(Keyspace store, Words words) {
        String lock = words.key(0);
        double token = Numbers.required(words.arg(1));
        if (!store.hexists(lock, words.arg(0))) {
            return 0L;
        }
        String kept = store.hget(lock, LockScripts.TOKEN);
        double present = kept == null ? 0 : Numbers.required(kept);
        if (present > 0) {
            return (long) present;
        }
        store.hset(lock, LockScripts.TOKEN, Numbers.digits(token));
        return (long) token;
    }

    private static Object leave(Keyspace store, Words words) {
        String set = words.key(0);
        String channel = words.arg(0);
        if (channel.isEmpty() && store.exists(set) && !store.isSorted(set)) {
            return List.of(0L, 0L);
        }
        boolean gone = false;
        for (String member : words.arguments.subList(1, words.arguments.size())) {
            gone |= store.zrem(set, member);
        }
        if (!gone) {
            return List.of(0L, 0L);
        }
        return List.of(1L, channel.isEmpty() ? 0L : store.publish(channel, LockScripts.RELEASED));
    }

    private static Object members(Keyspace store, Words words) {
        String set = words.key(0);
        if (!store.isSorted(set)) {
            return List.of();
        }
        long least = words.argIs(0, "1") ? Line.millis(store) : Long.MIN_VALUE;
        return store.zrange(set, Integer.MAX_VALUE).stream()
                .filter(member -> Objects.requireNonNull(store.zscore(set, member)) >= least)
                .limit(MOST_MEMBERS)
                .toList();
    }
}
