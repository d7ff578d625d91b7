package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The scripts of locks that several stores keep, of which a majority decides. */
final class QuorumScripts {

    private QuorumScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("propose", QuorumScripts::propose);
        bodies.put("adopt", QuorumScripts::adopt);
        bodies.put("join", QuorumScripts::join);
        bodies.put("read-propose", QueueScripts::readPropose);
        bodies.put("read-adopt", QuorumScripts::readAdopt);
        bodies.put("read-join", QueueScripts::readJoin);
        bodies.put("mark", QuorumScripts::mark);
        bodies.put("marked", QuorumScripts::marked);
    }

    static Object propose(Keyspace store, Words words) {
        String lock = words.key(0);
        String clock = words.key(1);
        String field = words.arg(0);
        double proposal = Numbers.required(words.arg(3));
        double ahead = Numbers.required(words.arg(4));
        long now = store.timeMicros();
        if (!store.exists(lock)) {
            double token = accept(store, clock, proposal, ahead, now);
            LockScripts.enter(store, lock, field, token, words.argIs(2, "1"));
            store.pexpire(lock, Numbers.integer(words.arg(1)));
            return List.of(1L, (long) token, now);
        }
        if (store.hexists(lock, field)) {
            LockScripts.raise(store, lock, words.arg(1));
            String kept = store.hget(lock, LockScripts.TOKEN);
            Double token = Numbers.of(kept == null ? orElse(store.get(clock), Long.toString(now)) : kept);
            return token == null ? List.of(1L) : List.of(1L, token.longValue(), now);
        }
        String holder = "";
        for (String name : store.hkeys(lock)) {
            holder = name.equals(LockScripts.TOKEN) ? holder : name;
        }
        return new ArrayList<>(List.of(0L, store.pttl(lock), now, holder));
    }

    static Object adopt(Keyspace store, Words words) {
        String lock = words.key(0);
        double token = Numbers.required(words.arg(1));
        if (!store.hexists(lock, words.arg(0))) {
            return 0L;
        }
        follow(store, words.key(1), token);
        if (words.argIs(2, "1")) {
            store.hset(lock, LockScripts.TOKEN, Numbers.digits(token));
        }
        return 1L;
    }

    static Object readAdopt(Keyspace store, Words words) {
        boolean reads =
                store.hexists(words.key(0), QueueScripts.READERS) && store.zscore(words.key(2), words.arg(0)) != null;
        if (reads) {
            follow(store, words.key(1), Numbers.required(words.arg(1)));
        }
        return reads ? 1L : 0L;
    }

    static Object join(Keyspace store, Words words) {
        String lock = words.key(0);
        String field = words.arg(0);
        double token = Numbers.required(words.arg(4));
        long left = store.pttl(lock);
        if (left != Keyspace.NO_KEY && !store.hexists(lock, field)) {
            return List.of(0L, left);
        }
        store.hset(lock, field, words.arg(1));
        if (words.argIs(3, "1")) {
            store.hset(lock, LockScripts.TOKEN, Numbers.digits(token));
        }
        if (left == Keyspace.NO_KEY || (left >= 0 && left < Numbers.required(words.arg(2)))) {
            store.pexpire(lock, Numbers.integer(words.arg(2)));
        }
        follow(store, words.key(1), token);
        return List.of(1L, 0L);
    }

    static Object mark(Keyspace store, Words words) {
        if (!store.exists(words.key(0))) {
            store.set(words.key(0), words.arg(0));
        }
        return Objects.requireNonNull(store.get(words.key(0)));
    }

    static @Nullable Object marked(Keyspace store, Words words) {
        return store.get(words.key(0));
    }

    /** The proposed token if it is greater than every earlier one of this clock and near its time; else one of the store's own. */
    static double accept(Keyspace store, String clock, double proposal, double ahead, long now) {
        double last = Numbers.required(orZero(store.get(clock)));
        boolean fits = proposal > last && proposal >= now && proposal <= now + ahead;
        double token = fits ? proposal : Math.max(last + 1, (double) now);
        store.set(clock, Numbers.digits(token));
        return token;
    }

    /** The clock is not behind this token from now on. */
    static void follow(Keyspace store, String clock, double token) {
        if (token > Numbers.required(orZero(store.get(clock)))) {
            store.set(clock, Numbers.digits(token));
        }
    }

    private static String orZero(@Nullable String number) {
        return orElse(number, "0");
    }

    private static String orElse(@Nullable String text, String other) {
        return text == null ? other : text;
    }
}
