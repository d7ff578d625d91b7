package io.holdfast.lock.engine.lock;

import io.holdfast.lock.engine.key.LockKeys;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The locks of a client that others seem to take first, and when that was seen: a MultiLock had something in hand and waited
 * for one of them in vain. Remembered within bounds, for all MultiLocks that are made of them.
 */
public final class FirstElsewhere {

    /** No time at which something was seen. */
    static final long NEVER = Long.MIN_VALUE;

    private static final int REMEMBERED = 1_000;

    private final Map<LockKeys, Long> seenNanos = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<LockKeys, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    public synchronized void seen(LockKeys keys, long nowNanos) {
        seenNanos.remove(keys);
        seenNanos.put(keys, nowNanos);
    }

    public synchronized long seenNanos(LockKeys keys) {
        return seenNanos.getOrDefault(keys, NEVER);
    }
}
