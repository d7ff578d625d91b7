package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.inspect.ScanSource.Page;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The pages of one store. They end with the last one, or when as many keys were looked at as the query allows. */
final class LockPages {

    /** What a server takes at most to look at a key, and at a lock, on a slow machine. */
    private static final long KEY_NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    private static final long LOCK_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    final Store store;
    private final ScanSource source;
    private String cursor = ScanSource.FIRST;
    private long looked;
    private boolean over;
    private long mostWorkNanos;

    LockPages(ScanSource source, Store store) {
        this.source = source;
        this.store = store;
    }

    boolean isOver() {
        return over;
    }

    /** What the server took for the latest page at most, however long that has travelled. */
    long mostWorkNanos() {
        return mostWorkNanos;
    }

    /** Waits for the next page. */
    Map<LockKeys, LockSnapshot> next(Parked<Page> parked) {
        long keys = Math.min(source.query.pageSize(), source.query.maxKeys() - looked);
        Page page = source.page(store, cursor, keys).ask(parked).await();
        looked += keys;
        cursor = page.cursor();
        over = cursor.equals(ScanSource.FIRST) || looked >= source.query.maxKeys();
        mostWorkNanos = keys * KEY_NANOS + page.locks().size() * LOCK_NANOS;
        return new LinkedHashMap<>(page.locks());
    }
}
