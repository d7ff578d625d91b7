package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.SharedKeys;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The generations of latches as this client heard of them last (rule 58). Only a bounded number is kept: a generation that is not
 * known, or no longer the present one, costs a request more.
 */
final class Generations {

    static final long UNKNOWN = 0;
    private static final int MOST = 1_024;

    /** By key, the one that was used last comes last. Guarded by its monitor. */
    private final Map<String, Long> known = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    long of(SharedKeys latch) {
        synchronized (known) {
            return known.getOrDefault(latch.key(), UNKNOWN);
        }
    }

    /** An answer has told the generation; 0: there is no latch. */
    void heard(SharedKeys latch, long generation) {
        synchronized (known) {
            if (generation == UNKNOWN) {
                known.remove(latch.key());
            } else {
                known.put(latch.key(), generation);
            }
        }
    }
}
