package io.holdfast.lock.memory;

import io.holdfast.lock.memory.script.StoredData;
import io.holdfast.lock.tests.support.Ground;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** The data of a store in memory, as a test sees that of a server: it is in that package to get at it. */
public final class MemoryNode implements Ground.Node {

    private final MemoryStore store;

    public MemoryNode(InMemoryLocks locks) {
        this.store = locks.data();
    }

    private <T extends @Nullable Object> T ask(Function<StoredData, T> question) {
        return store.inside(question);
    }

    @Override
    public List<String> keys() {
        return ask(data -> data.keys().stream()
                .filter(data::exists)
                .map(LuaString::tojstring)
                .toList());
    }

    @Override
    public Map<String, String> hash(String key) {
        return ask(data -> {
            Map<String, String> fields = new LinkedHashMap<>();
            data.hkeys(text(key)).forEach(field -> fields.put(field.tojstring(), data.hget(text(key), field) + ""));
            return fields;
        });
    }

    private static LuaString text(String text) {
        return LuaString.valueOf(text);
    }

    @Override
    public @Nullable String value(String key) {
        LuaString value = ask(data -> data.get(text(key)));
        return value == null ? null : value.tojstring();
    }

    @Override
    public void set(String key, String value) {
        store.change(data -> data.set(text(key), text(value)));
    }

    @Override
    public void delete(String key) {
        store.change(data -> data.del(text(key)));
    }

    @Override
    public void setField(String key, String field, String value) {
        store.change(data -> data.hset(text(key), text(field), text(value)));
    }

    @Override
    public void deleteField(String key, String field) {
        store.change(data -> data.hdel(text(key), text(field)));
    }

    @Override
    public long timeToLive(String key) {
        return ask(data -> data.pttl(text(key)));
    }

    @Override
    public void persist(String key) {
        store.change(data -> data.persist(text(key)));
    }

    @Override
    public int channels() {
        return store.channels();
    }

    @Override
    public long attempts() {
        return store.asked();
    }
}
