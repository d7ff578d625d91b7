package io.holdfast.lock.memory;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scripts of fenced values, and the one that asks for rights. */
final class ValueScripts {

    private static final String VALUE = "value";

    private ValueScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("fenced-set", ValueScripts::set);
        bodies.put("fenced-get", ValueScripts::get);
        bodies.put("rights", ValueScripts::rights);
    }

    private static double seen(Keyspace store, String key) {
        String token = store.hget(key, LockScripts.TOKEN);
        return Numbers.required(token == null ? "0" : token);
    }

    static Object set(Keyspace store, Words words) {
        String key = words.key(0);
        double seen = seen(store, key);
        if (Numbers.required(words.arg(0)) < seen) {
            return 0L;
        }
        store.hset(key, LockScripts.TOKEN, words.arg(0));
        store.hset(key, VALUE, words.arg(1));
        return 1L;
    }

    static @Nullable Object get(Keyspace store, Words words) {
        String key = words.key(0);
        long length = store.hstrlen(key, VALUE);
        if (length > Numbers.required(words.arg(1))) {
            return List.of(length);
        }
        if (Numbers.required(words.arg(0)) > seen(store, key)) {
            store.hset(key, LockScripts.TOKEN, words.arg(0));
        }
        return store.hget(key, VALUE);
    }

    /** Here every client may do everything. */
    static Object rights(Keyspace store, Words words) {
        return Collections.nCopies(words.arguments.size() - 1, 1L);
    }
}
