package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Fault;
import java.util.List;
import java.util.Map;

/** The scripts of count-down latches and signals. */
final class LatchScripts {

    private static final String GENERATION = "generation";
    private static final String COUNT = "count";
    private static final String LINE = "line";
    private static final String BY = "by";
    private static final long OPEN_MILLIS = 3_600_000;

    private LatchScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("latch-set", LatchScripts::set);
        bodies.put("latch-count", LatchScripts::count);
        bodies.put("latch-look", LatchScripts::look);
        bodies.put("latch-delete", LatchScripts::delete);
        bodies.put("signal-send", LatchScripts::send);
        bodies.put("signal-look", LatchScripts::current);
    }

    /**
     * A latch as it is.
     *
     * @param generation 0 if there is none
     */
    private record Latch(double generation, double left) {

        static Latch read(Keyspace store, Words words) {
            String key = words.key(0);
            if (!store.exists(key)) {
                return new Latch(0, 0);
            }
            Double generation = store.isHash(key) ? Numbers.of(store.hget(key, GENERATION)) : null;
            Double count = store.isHash(key) ? Numbers.of(store.hget(key, COUNT)) : null;
            if (generation == null || count == null) {
                throw stranger(store, key, "a count-down latch");
            }
            return new Latch(generation, count > 0 ? count - store.scard(words.key(1)) : 0);
        }

        Object reply(double last) {
            return List.of((long) generation, (long) left, (long) last);
        }

        boolean isOf(String meant) {
            Double number = Numbers.of(meant);
            return number != null && number == generation;
        }
    }

    private static Refusal stranger(Keyspace store, String key, String expected) {
        return new Refusal(
                Fault.Kind.WRONGTYPE, "WRONGTYPE the key holds a " + store.type(key) + " (expected: " + expected + ")");
    }

    // --- latches ---

    private static Object set(Keyspace store, Words words) {
        String key = words.key(0);
        Latch latch = Latch.read(store, words);
        if (latch.generation > 0 && words.arg(0).equals(store.hget(key, BY))) {
            return latch.reply(1);
        }
        if (latch.left > 0 || !latch.isOf(words.arg(2))) {
            return latch.reply(0);
        }
        double fresh = LockScripts.mint(store, words.key(2), null, false);
        String kept = latch.generation > 0 ? store.hget(key, LINE) : null;
        store.del(words.key(1));
        store.hset(key, GENERATION, Numbers.digits(fresh));
        store.hset(key, COUNT, words.arg(1));
        store.hset(key, LINE, kept == null ? Numbers.digits(fresh) : kept);
        store.hset(key, BY, words.arg(0));
        store.persist(key);
        return List.of((long) fresh, Numbers.integer(words.arg(1)), 1L);
    }

    private static Object count(Keyspace store, Words words) {
        String key = words.key(0);
        Latch latch = Latch.read(store, words);
        if (latch.generation == 0 || !latch.isOf(words.arg(1))) {
            return latch.reply(0);
        }
        if (latch.left > 0) {
            store.persist(key);
            latch = new Latch(latch.generation, latch.left - (store.sadd(words.key(1), words.arg(0)) ? 1 : 0));
            if (latch.left <= 0) {
                store.del(words.key(1));
                store.hset(key, COUNT, "0");
                store.pexpire(key, OPEN_MILLIS);
                store.publish(words.arg(2), Numbers.digits(latch.generation));
            }
        }
        return latch.reply(1);
    }

    private static Object look(Keyspace store, Words words) {
        Latch latch = Latch.read(store, words);
        Double line = Numbers.of(store.hget(words.key(0), LINE));
        return latch.reply(line == null ? 0 : line);
    }

    private static Object delete(Keyspace store, Words words) {
        Latch latch = Latch.read(store, words);
        if (latch.generation == 0 || !latch.isOf(words.arg(0))) {
            return latch.reply(0);
        }
        store.del(words.key(1));
        store.del(words.key(0));
        store.publish(words.arg(1), LockScripts.RELEASED);
        return latch.reply(1);
    }

    // --- signals ---

    private static Object send(Keyspace store, Words words) {
        current(store, words);
        double fresh = LockScripts.mint(store, words.key(0), null, false);
        store.publish(words.arg(0), Numbers.digits(fresh));
        return (long) fresh;
    }

    private static Object current(Keyspace store, Words words) {
        String key = words.key(0);
        String type = store.type(key);
        if (type.equals("none")) {
            return 0L;
        }
        if (!type.equals("string")) {
            throw stranger(store, key, "a signal");
        }
        return (long) Numbers.follows(String.valueOf(store.get(key)), key);
    }
}
