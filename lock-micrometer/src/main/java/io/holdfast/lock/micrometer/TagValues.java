package io.holdfast.lock.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The values that a tag has had. There are at most 100: what comes after them is {@code other}. */
final class TagValues {

    static final int MOST = 100;
    static final String OTHER = "other";

    private static final Logger log = LoggerFactory.getLogger(TagValues.class);

    private final String tag;
    private final Set<String> values = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean warned = new AtomicBoolean();

    TagValues(String tag) {
        this.tag = tag;
    }

    /** The value itself, or {@code other}. */
    String bounded(String value) {
        if (values.contains(value) || value.equals(OTHER)) {
            return value;
        }
        // Looked at first: where all places are taken, no caller waits for another.
        if (values.size() < MOST && add(value)) {
            return value;
        }
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "tag '{}' has {} values, and more are to be told apart: they are counted as '{}' (expected: fewer, as"
                            + " by LockNameTag.exact)",
                    tag,
                    MOST,
                    OTHER);
        }
        return OTHER;
    }

    private synchronized boolean add(String value) {
        return values.contains(value) || (values.size() < MOST && values.add(value));
    }
}
