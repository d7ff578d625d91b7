package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The scripts that look at many locks, and those of the records in which clients say who they are. */
final class SearchScripts {

    private static final int LONGEST_TEXT = 512;
    private static final Pattern OWNER = Pattern.compile(".*:[0-9]+", Pattern.DOTALL);

    /** What is said of a key that is no lock. */
    private static final List<Object> NO_LOCK = List.of(Keyspace.NO_KEY, -1L);

    private SearchScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("scan", SearchScripts::scan);
        bodies.put("looks", SearchScripts::looks);
        bodies.put("record", SearchScripts::record);
        bodies.put("clients", SearchScripts::clients);
    }

    static Object scan(Keyspace store, Words words) {
        Keyspace.Page page =
                store.scan(Numbers.integer(words.arg(0)), Numbers.integer(words.arg(4)), Glob.of(words.arg(2)));
        return List.of(
                Long.toString(page.cursor()),
                page.keys().stream().filter(store::isHash).toList());
    }

    static Object looks(Keyspace store, Words words) {
        boolean redisson = words.argIs(0, "1");
        List<Object> answers = new ArrayList<>();
        for (int i = 1; i < words.arguments.size(); i++) {
            List<Object> answer = look(store, words.key(3 * (i - 1)), words.arg(i), redisson);
            answers.add(redisson && answer.size() <= 2 ? NO_LOCK : answer);
        }
        return answers;
    }

    /** What inspect says of a lock; that it is free, if the key is no lock's. */
    private static List<Object> look(Keyspace store, String lock, String channel, boolean redisson) {
        if (store.exists(lock) && !store.isHash(lock)) {
            return NO_LOCK;
        }
        List<Object> answer = LockScripts.look(store, lock, channel, redisson ? OWNER : LockScripts.NO_MARK);
        if (!redisson) {
            answer.add(LockScripts.beside(store, lock, lock + ":readers", lock + ":queue"));
        }
        return answer;
    }

    private static String channel(String lock, boolean redisson) {
        if (!redisson) {
            return lock + ":free";
        }
        return "redisson_lock__channel:" + (lock.contains("{") ? lock : "{" + lock + "}");
    }

    /** Tells those who wait for the lock with this key, whichever scheme it is of. */
    static void tellWaiters(Keyspace store, String lock) {
        store.publish(channel(lock, false), LockScripts.RELEASED);
        store.publish(channel(lock, true), LockScripts.RELEASED);
    }

    static Object record(Keyspace store, Words words) {
        String record = words.key(0);
        if (store.exists(record) && !(store.isHash(record) && store.hexists(record, "since"))) {
            return 0L;
        }
        if (words.argIs(0, "0")) {
            store.del(record);
            return 1L;
        }
        for (int i = 1; i < words.arguments.size(); i += 2) {
            store.hset(record, words.arg(i), words.arg(i + 1));
        }
        store.pexpire(record, Numbers.integer(words.arg(0)));
        return 1L;
    }

    static Object clients(Keyspace store, Words words) {
        List<Object> records = new ArrayList<>();
        for (String record : words.keys) {
            records.add(store.isHash(record) ? read(store, record, words.arguments) : List.of());
        }
        return records;
    }

    private static List<String> read(Keyspace store, String record, List<String> fields) {
        List<String> texts = new ArrayList<>();
        for (String field : fields) {
            if (store.hstrlen(record, field) > LONGEST_TEXT) {
                return List.of();
            }
            texts.add(orEmpty(store.hget(record, field)));
        }
        return texts;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
