package io.holdfast.lock.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Meters.
 *
 * @param lockTag what the tag lock of a meter is; none where this is not set
 * @param lockNames names that the tag has as they are, with lock-tag exact; all others are other
 */
record MetricsProperties(@Nullable LockTag lockTag, @Nullable List<String> lockNames) {

    enum LockTag {
        NONE,
        EXACT,
        MASKED
    }
}
