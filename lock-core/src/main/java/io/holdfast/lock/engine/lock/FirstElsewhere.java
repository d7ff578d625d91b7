package io.holdfast.lock.engine.lock;

import io.holdfast.lock.engine.key.LockNames;
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

    private final Map<LockNames, Long> seenNanos = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<LockNames, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    public synchronized void seen(LockNames names, long nowNanos) {
        seenNanos.remove(names);
        seenNanos.put(names, nowNanos);
    }

    public synchronized long seenNanos(LockNames names) {
        return seenNanos.getOrDefault(names, NEVER);
    }
}
