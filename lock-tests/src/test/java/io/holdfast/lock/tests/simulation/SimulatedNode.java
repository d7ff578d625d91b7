package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.tests.support.Ground;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** A simulated server, asked without a connection. */
final class SimulatedNode implements Ground.Node {

    private final SimulatedServer server;

    SimulatedNode(SimulatedServer server) {
        this.server = server;
    }

    @Override
    public List<String> keys() {
        return server.keys().keys().stream()
                .filter(server.keys()::exists)
                .map(LuaString::tojstring)
                .toList();
    }

    @Override
    public Map<String, String> hash(String key) {
        List<LuaString> fields = server.keys().hgetall(LuaString.valueOf(key));
        Map<String, String> hash = new HashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            hash.put(fields.get(i).tojstring(), fields.get(i + 1).tojstring());
        }
        return hash;
    }

    @Override
    public @Nullable String value(String key) {
        LuaString value = server.keys().get(LuaString.valueOf(key));
        return value == null ? null : value.tojstring();
    }

    @Override
    public void set(String key, String value) {
        server.keys().set(LuaString.valueOf(key), LuaString.valueOf(value));
    }

    @Override
    public void delete(String key) {
        server.keys().del(LuaString.valueOf(key));
    }

    @Override
    public void setField(String key, String field, String value) {
        server.keys().hset(LuaString.valueOf(key), LuaString.valueOf(field), LuaString.valueOf(value));
    }

    @Override
    public void deleteField(String key, String field) {
        server.keys().hdel(LuaString.valueOf(key), LuaString.valueOf(field));
    }

    @Override
    public long timeToLive(String key) {
        return server.keys().pttl(LuaString.valueOf(key));
    }

    @Override
    public void persist(String key) {
        server.keys().persist(LuaString.valueOf(key));
    }

    @Override
    public int channels() {
        return server.channels();
    }

    @Override
    public long attempts() {
        return server.attempts();
    }
}
