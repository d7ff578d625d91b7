package io.holdfast.lock.tests.support;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster, seen as one server: a key is where its slot is. */
public final class NodesTogether implements Ground.Node {

    private final List<Ground.Node> all;
    private final Supplier<List<Ground.Node>> primaries;
    private final Function<String, Ground.Node> primaryOf;

    /**
     * @param primaries those that have keys of their own: a replica has the same
     * @param primaryOf which of them has a key
     */
    public NodesTogether(
            List<Ground.Node> all, Supplier<List<Ground.Node>> primaries, Function<String, Ground.Node> primaryOf) {
        this.all = all;
        this.primaries = primaries;
        this.primaryOf = primaryOf;
    }

    private Ground.Node of(String key) {
        return primaryOf.apply(key);
    }

    @Override
    public List<String> keys() {
        return primaries.get().stream()
                .flatMap(primary -> primary.keys().stream())
                .toList();
    }

    @Override
    public Map<String, String> hash(String key) {
        return of(key).hash(key);
    }

    @Override
    public @Nullable String value(String key) {
        return of(key).value(key);
    }

    @Override
    public void set(String key, String value) {
        of(key).set(key, value);
    }

    @Override
    public void delete(String key) {
        of(key).delete(key);
    }

    @Override
    public void setField(String key, String field, String value) {
        of(key).setField(key, field, value);
    }

    @Override
    public void deleteField(String key, String field) {
        of(key).deleteField(key, field);
    }

    @Override
    public long timeToLive(String key) {
        return of(key).timeToLive(key);
    }

    @Override
    public void persist(String key) {
        of(key).persist(key);
    }

    @Override
    public int channels() {
        return all.stream().mapToInt(Ground.Node::channels).sum();
    }

    @Override
    public long attempts() {
        return all.stream().mapToLong(Ground.Node::attempts).sum();
    }
}
