package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockQuery;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a search asks a store: which keys it has, page by page, and what the locks are like whose keys these are. */
final class ScanSource {

    static final String FIRST = "0";

    private static final byte[] MATCH = ascii("MATCH");
    private static final byte[] COUNT = ascii("COUNT");
    private static final byte[] TYPE = ascii("TYPE");
    private static final byte[] HASH = ascii("hash");

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
     * @param locks those that keys of this page may belong to
     */
    record Page(String cursor, List<LockKeys> locks) {}

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    /** @param part a slot of the part that is asked */
    Query<Page> page(Store store, int part, String cursor, long keys) {
        return new Query<>(
                        facts,
                        exchanges,
                        store,
                        "",
                        Scripts.SCAN,
                        part,
                        out -> out.arg(ascii(cursor))
                                .arg(MATCH)
                                .arg(layout.pattern(query.start()))
                                .arg(COUNT)
                                .arg(keys)
                                .arg(TYPE)
                                .arg(HASH),
                        this::readPage)
                .ofSearch(query, false);
    }

    /** What the store has of these locks, in their order. */
    Looks named(Store store, List<LockKeys> locks) {
        return new Looks(locks, store.backend()::shard, some -> look(store, some));
    }

    private Query<List<LockSnapshot>> look(Store store, List<LockKeys> locks) {
        return new Query<>(
                        facts,
                        exchanges,
                        store,
                        "",
                        Scripts.LOOKS,
                        locks.get(0).slot,
                        out -> {
                            locks.forEach(lock -> lock.writeSearchedKeys(out));
                            out.arg(layout.sharesWithRedisson() ? 1 : 0);
                            locks.forEach(lock -> lock.writeChannel(out));
                        },
                        reply -> readNamed(reply, locks.size()))
                .ofSearch(query, true)
                .keyByKey((deadlineNanos, step) -> new LookEach(store, locks, deadlineNanos, step).start());
    }

    private Page readPage(Reply reply) {
        String cursor = reply.text(0);
        if (cursor == null
                || cursor.length() > LONGEST_CURSOR
                || !cursor.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UnexpectedReplyException("a page of keys ends without a cursor");
        }
        List<LockKeys> locks = new ArrayList<>();
        Reply keys = reply.get(1);
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.text(i);
            LockKeys lock = key == null ? null : layout.ofKey(key);
            if (lock != null) {
                locks.add(lock);
            }
        }
        return new Page(cursor, locks);
    }

    private static List<LockSnapshot> readNamed(Reply reply, int locks) {
        List<LockSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
            snapshots.add(LockSnapshot.read(reply.get(i)));
        }
        return snapshots;
    }
}
