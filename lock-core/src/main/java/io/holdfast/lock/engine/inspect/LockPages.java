package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.inspect.ScanSource.Page;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Blocker;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one store, part by part. They end with the last one, or when as many keys were looked at as the query allows.
 */
final class LockPages {

    /** What a server takes at most to look at a key, and at a lock, on a slow machine. */
    private static final long KEY_NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    private static final long LOCK_NANOS = TimeUnit.MICROSECONDS.toNanos(15);

    final Store store;
    private final ScanSource source;
    /** A slot of the part that is read. */
    private int part;
    /** What kept it when its first page was read; null before. */
    private @Nullable Object keeper;
    /** What kept the parts that were read: each is read once, also where slots have moved meanwhile. */
    private final Set<Object> read = new HashSet<>();

    private String cursor = ScanSource.FIRST;
    /** Whether the part begins anew, since another server keeps it now. */
    private boolean begunAnew;

    private long looked;
    private boolean over;
    private long mostWorkNanos;

    LockPages(ScanSource source, Store store) {
        this.source = source;
        this.store = store;
        this.part = store.backend().parts().get(0);
    }

    boolean isOver() {
        return over;
    }

    /** What the server took for the latest page at most, however long that has travelled. */
    long mostWorkNanos() {
        return mostWorkNanos;
    }

    /** Waits for the next page. */
    Map<LockKeys, LockSnapshot> next(Blocker blocker) {
        long keys = Math.min(source.query.pageSize(), source.query.maxKeys() - looked);
        Page page = source.page(store, part, cursor, keys)
                .ask(new Parked<>(blocker, "locks"))
                .await();
        looked += keys;
        cursor = nextCursor(page);
        over = (cursor.equals(ScanSource.FIRST) && !begunAnew && !beginNextPart()) || looked >= source.query.maxKeys();
        mostWorkNanos = keys * KEY_NANOS + page.locks().size() * LOCK_NANOS;
        return held(page.locks(), blocker);
    }

    private Map<LockKeys, LockSnapshot> held(List<LockKeys> found, Blocker blocker) {
        List<LockKeys> locks = found.stream()
                .filter(lock -> source.query.matches(lock.name()))
                .distinct()
                .toList();
        List<LockSnapshot> seen =
                source.named(store, locks).ask(new Parked<>(blocker, "locks")).await();
        Map<LockKeys, LockSnapshot> held = new LinkedHashMap<>();
        for (int i = 0; i < locks.size(); i++) {
            if (seen.get(i).isLocked()) {
                held.put(locks.get(i), seen.get(i));
            }
        }
        return held;
    }

    /** Where the next page begins: with the first one, if another server has answered than for the pages before. */
    private String nextCursor(Page page) {
        Object answered = store.backend().keeper(part);
        boolean isFirst = keeper == null || cursor.equals(ScanSource.FIRST);
        boolean isOfAnother = !isFirst && !answered.equals(keeper);
        keeper = answered;
        begunAnew = isOfAnother;
        return isOfAnother ? ScanSource.FIRST : page.cursor();
    }

    /** Whether there is one: only after an answer it is known for sure which parts there are. */
    private boolean beginNextPart() {
        Backend backend = store.backend();
        read.add(Objects.requireNonNull(keeper));
        for (int slot : backend.parts()) {
            if (!read.contains(backend.keeper(slot))) {
                part = slot;
                keeper = null;
                return true;
            }
        }
        return false;
    }
}
