package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockQuery;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** What a search asks a store, in the words of the script that looks at many locks. */
final class ScanSource {

    static final String FIRST = "0";

    /** In place of a cursor: the locks are named. */
    private static final byte[] NAMED = {};

    private static final int LONGEST_CURSOR = 20;

    private final ClientFacts facts;
    private final Exchanges exchanges;
    final LockQuery query;
    private final KeyLayout layout;

    ScanSource(ClientFacts facts, Exchanges exchanges, LockQuery query, KeyLayout layout) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.query = query;
        this.layout = layout;
    }

    /**
     * A page of what a part of the store has.
     *
     * @param cursor where the next page begins; {@link #FIRST} after the last one
     * @param locks those that keys of this page belong to
     */
    record Page(String cursor, Map<LockKeys, LockSnapshot> locks) {}

    /** @param part a slot of the part that is asked */
    Query<Page> page(Store store, int part, String cursor, long keys) {
        return question(
                store,
                part,
                out -> out.arg(cursor.getBytes(StandardCharsets.US_ASCII))
                        .arg(keys)
                        .arg(layout.pattern(query.start())),
                this::readPage);
    }

    /** What the store has of these locks, in their order. */
    Query<List<LockSnapshot>> named(Store store, List<LockKeys> locks) {
        return question(
                store,
                store.backend().parts().get(0),
                out -> {
                    out.arg(NAMED);
                    locks.forEach(lock -> out.arg(lock.keyBytes()));
                },
                reply -> readNamed(reply, locks.size()));
    }

    private <T> Query<T> question(Store store, int part, Consumer<Args> arguments, Function<Reply, T> answer) {
        return new Query<>(
                        facts,
                        exchanges,
                        store,
                        "",
                        Scripts.SCAN,
                        part,
                        out -> {
                            out.arg(layout.sharesWithRedisson() ? 1 : 0);
                            arguments.accept(out);
                        },
                        answer)
                .ofSearch(query);
    }

    private Page readPage(Reply reply) {
        String cursor = reply.text(0);
        if (cursor == null
                || cursor.length() > LONGEST_CURSOR
                || !cursor.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UnexpectedReplyException("a page of keys ends without a cursor");
        }
        Map<LockKeys, LockSnapshot> locks = new LinkedHashMap<>();
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            String key = reply.text(i);
            LockKeys lock = key == null ? null : layout.ofKey(key);
            if (lock != null) {
                locks.put(lock, LockSnapshot.read(reply.get(i + 1)));
            }
        }
        return new Page(cursor, locks);
    }

    private static List<LockSnapshot> readNamed(Reply reply, int locks) {
        List<LockSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
            snapshots.add(LockSnapshot.read(reply.get(2 + 2 * i)));
        }
        return snapshots;
    }
}
