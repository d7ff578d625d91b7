package io.holdfast.lock.spring;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many calls of {@link Locked} methods were skipped, because the lock was not granted in time. A bean, for meters to read. */
public final class SkippedCalls {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final LongAdder all = new LongAdder();

    SkippedCalls() {}

    /** Those of all methods. */
    public long count() {
        return all.sum();
    }

    /** Those of each method that has any: {@code OrderService.ship}. A copy. */
    public Map<String, Long> byMethod() {
        Map<String, Long> copy = new TreeMap<>();
        counts.forEach((method, count) -> copy.put(method, count.sum()));
        return copy;
    }

    void skipped(String method) {
        all.increment();
        counts.computeIfAbsent(method, first -> new LongAdder()).increment();
    }
}
