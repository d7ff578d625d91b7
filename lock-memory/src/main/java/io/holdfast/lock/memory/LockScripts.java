package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The scripts of locks: taking, keeping, handing over, giving back, and looking. */
final class LockScripts {

    static final String TOKEN = "token";

    private static final Pattern COUNT_OR_TOKEN = Pattern.compile("[0-9]+");
    static final Pattern ANY_FIELD = Pattern.compile(".*", Pattern.DOTALL);
    /** Any but the one that says that there are readers, which stand elsewhere. */
    static final Pattern NO_MARK = Pattern.compile("(?!readers\\z).*", Pattern.DOTALL);

    private static final int MOST_FIELDS = 100;
    private static final int LONGEST_FIELD = 256;
    private static final int MOST_DIGITS = 18;
    static final String RELEASED = "0";

    private LockScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        MovingScripts.addTo(bodies);
        bodies.put("acquire", LockScripts::acquire);
        bodies.put("reenter", LockScripts::reenter);
        bodies.put("release", LockScripts::release);
        bodies.put("transfer", LockScripts::transfer);
        bodies.put("renew", LockScripts::renew);
        bodies.put("force", LockScripts::force);
        bodies.put("inspect", LockScripts::inspect);
    }

    // --- the scripts ---

    static Object acquire(Keyspace store, Words words) {
        String lock = words.key(0);
        String field = words.arg(0);
        if (!store.exists(lock)) {
            double token = mint(store, words, 3);
            enter(store, lock, field, token, words.argIs(2, "1"));
            store.pexpire(lock, Numbers.integer(words.arg(1)));
            return List.of(1L, (long) token);
        }
        if (store.hexists(lock, field)) {
            raise(store, lock, words.arg(1));
            return granted(tokenOf(store, words, 3));
        }
        return List.of(0L, store.pttl(lock));
    }

    static Object reenter(Keyspace store, Words words) {
        String lock = words.key(0);
        if (!store.hexists(lock, words.arg(0))) {
            return 0L;
        }
        raise(store, lock, words.arg(2));
        store.hset(lock, words.arg(0), words.arg(1));
        return 1L;
    }

    static Object release(Keyspace store, Words words) {
        String lock = words.key(0);
        if (!store.hexists(lock, words.arg(0))) {
            return List.of(0L, 0L);
        }
        if (words.argIs(1, "0")) {
            if (store.hexists(lock, QueueScripts.READERS)) {
                store.hdel(lock, words.arg(0));
                store.hdel(lock, TOKEN);
            } else {
                store.del(lock);
            }
            return List.of(1L, store.publish(words.arg(2), RELEASED));
        }
        store.hset(lock, words.arg(0), words.arg(1));
        return List.of(1L, 0L);
    }

    static Object transfer(Keyspace store, Words words) {
        String lock = words.key(0);
        String old = words.arg(0);
        String field = words.arg(1);
        if (store.hexists(lock, old)) {
            store.pexpire(lock, Numbers.integer(words.arg(2)));
            double token = mint(store, words, 4);
            enter(store, lock, field, token, words.argIs(3, "1"));
            store.hdel(lock, old);
            return List.of(1L, (long) token);
        }
        if (store.hexists(lock, field)) {
            raise(store, lock, words.arg(2));
            return granted(tokenOf(store, words, 4));
        }
        return List.of(0L, 0L);
    }

    /** A key of another type must not spoil the renewal of the others. */
    static Object renew(Keyspace store, Words words) {
        List<Object> answers = new ArrayList<>();
        for (int i = 0; i < words.keys.size(); i++) {
            String lock = words.key(i);
            boolean known = store.isHash(lock) && store.hexists(lock, words.arg(2 * i));
            if (known) {
                raise(store, lock, words.arg(2 * i + 1));
            }
            answers.add(known ? 1L : 0L);
        }
        return answers;
    }

    static Object force(Keyspace store, Words words) {
        if (store.hlen(words.key(0)) == 0) {
            return 0L;
        }
        store.del(words.key(0));
        store.publish(words.arg(0), RELEASED);
        return 1L;
    }

    static Object inspect(Keyspace store, Words words) {
        List<Object> answer = look(store, words.key(0), words.arg(0), words.keys.size() > 1 ? NO_MARK : ANY_FIELD);
        if (words.keys.size() > 1 && store.hlen(words.key(0)) <= MOST_FIELDS) {
            List<List<String>> beside = beside(store, words.key(0), words.key(1), words.key(2));
            boolean reading = store.hexists(words.key(0), QueueScripts.READERS);
            if (reading && beside.get(0).isEmpty() && store.hlen(words.key(0)) == 1) {
                answer.set(0, -2L);
            }
            answer.add(beside);
        }
        return answer;
    }

    /** Those that read under a lock, and those that stand in its queue. */
    static List<List<String>> beside(Keyspace store, String lock, String readers, String queue) {
        long now = Math.floorDiv(store.timeMicros(), 1_000);
        List<String> reading = store.hexists(lock, "readers") && store.isSorted(readers)
                ? store.zrange(readers, Integer.MAX_VALUE).stream()
                        .filter(field -> Objects.requireNonNull(store.zscore(readers, field)) >= now)
                        .limit(MOST_FIELDS)
                        .toList()
                : List.of();
        return List.of(reading, store.isSorted(queue) ? store.zrange(queue, MOST_FIELDS) : List.of());
    }

    // --- what they share ---

    /** What can be a holder or a token, behind the time to live and how many connections listen. */
    static List<Object> look(Keyspace store, String lock, String channel, Pattern holders) {
        List<Object> answer = new ArrayList<>(List.of(store.pttl(lock), store.numsub(channel)));
        if (store.hlen(lock) > MOST_FIELDS) {
            return answer;
        }
        for (String field : store.hkeys(lock)) {
            String value = String.valueOf(store.hget(lock, field));
            if (field.length() <= LONGEST_FIELD
                    && holders.matcher(field).matches()
                    && value.length() <= MOST_DIGITS
                    && COUNT_OR_TOKEN.matcher(value).matches()) {
                answer.addAll(List.of(field, value));
            }
        }
        return answer;
    }

    /** The fields of a lock but its token. */
    static List<String> holders(Keyspace store, String lock) {
        return store.hkeys(lock).stream().filter(field -> !field.equals(TOKEN)).toList();
    }

    /** Raises the time to live to the lease; never lowers it, and leaves a key without expiry alone. */
    static void raise(Keyspace store, String lock, String lease) {
        long left = store.pttl(lock);
        if (left >= 0 && left < Numbers.required(lease)) {
            store.pexpire(lock, Numbers.integer(lease));
        }
    }

    /** Makes a field the lock's holder, once. */
    static void enter(Keyspace store, String lock, String field, double token, boolean keepsToken) {
        store.hset(lock, field, "1");
        if (keepsToken) {
            store.hset(lock, TOKEN, Numbers.digits(token));
        }
    }

    private static double mint(Keyspace store, Words words, int begin) {
        return mint(store, words.key(1), counter(words), words.argIs(begin, "1"));
    }

    /** The token that a lock keeps, or a new one; null where it keeps what is none. */
    private static @Nullable Double tokenOf(Keyspace store, Words words, int begin) {
        return tokenOf(store, words.key(0), words.key(1), counter(words), words.argIs(begin, "1"));
    }

    private static @Nullable String counter(Words words) {
        return words.keys.size() > 2 ? words.key(2) : null;
    }

    /** A token greater than every earlier one of the clock, and of Redisson's counter where there is one. */
    static double mint(Keyspace store, String clock, @Nullable String counter, boolean begins) {
        double token = store.timeMicros();
        String counted = counter == null ? null : store.get(counter);
        if (counter != null && counted != null) {
            token = Math.max(token, Numbers.follows(counted, counter) + 1);
        }
        String last = store.get(clock);
        store.set(clock, Numbers.digits(token));
        if (last != null) {
            double earlier = Numbers.follows(last, clock);
            if (token <= earlier) {
                token = earlier + 1;
                store.set(clock, Numbers.digits(token));
            }
        }
        if (counter != null && (counted != null || begins)) {
            store.set(counter, Numbers.digits(token));
        }
        return token;
    }

    static @Nullable Double tokenOf(
            Keyspace store, String lock, String clock, @Nullable String counter, boolean begins) {
        String kept = store.hget(lock, TOKEN);
        return kept == null ? (Double) mint(store, clock, counter, begins) : Numbers.of(kept);
    }

    /** In Lua, a list ends where a value is missing. */
    static List<Object> granted(@Nullable Double token) {
        return token == null ? List.of(1L) : List.of(1L, token.longValue());
    }
}
