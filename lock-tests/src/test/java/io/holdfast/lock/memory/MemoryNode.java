package io.holdfast.lock.memory;

import io.holdfast.lock.tests.support.Ground;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The data of a store in memory, as a test sees that of a server: it is in that package to get at it. */
public final class MemoryNode implements Ground.Node {

    private final MemoryStore store;

    public MemoryNode(InMemoryLocks locks) {
        this.store = locks.data();
    }

    private <T extends @Nullable Object> T ask(Function<Keyspace, T> question) {
        return store.inside(question);
    }

    /** The answer of a script, or the kind of its error. */
    public Object answer(String script, List<String> keys, List<String> arguments) {
        Words words = new Words();
        words.keys.addAll(keys);
        words.arguments.addAll(arguments);
        try {
            return store.answer(script, words);
        } catch (Refusal refusal) {
            return refusal.kind;
        }
    }

    /** Whether a store in memory knows a script of this name. */
    public static boolean knows(String script) {
        return StoreScripts.knows(script);
    }

    @Override
    public List<String> keys() {
        return ask(data -> data.keys(key -> true));
    }

    @Override
    public Map<String, String> hash(String key) {
        return ask(data -> {
            Map<String, String> fields = new LinkedHashMap<>();
            data.hkeys(key).forEach(field -> fields.put(field, String.valueOf(data.hget(key, field))));
            return fields;
        });
    }

    @Override
    public @Nullable String value(String key) {
        return ask(data -> data.get(key));
    }

    @Override
    public void set(String key, String value) {
        store.change(data -> data.set(key, value));
    }

    @Override
    public void delete(String key) {
        store.change(data -> data.del(key));
    }

    @Override
    public void setField(String key, String field, String value) {
        store.change(data -> data.hset(key, field, value));
    }

    @Override
    public void deleteField(String key, String field) {
        store.change(data -> data.hdel(key, field));
    }

    @Override
    public long timeToLive(String key) {
        return ask(data -> data.pttl(key));
    }

    @Override
    public void persist(String key) {
        store.change(data -> data.persist(key));
    }

    @Override
    public int channels() {
        return ask(Keyspace::channels);
    }

    @Override
    public long attempts() {
        return store.asked();
    }
}
