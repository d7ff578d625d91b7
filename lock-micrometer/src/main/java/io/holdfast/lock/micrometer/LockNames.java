package io.holdfast.lock.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.stream.Stream;

/** The tag {@code lock} in one registry: chosen or not, and with a bound. */
final class LockNames {

    private final LockNameTag tag;
    private final TagValues values = new TagValues(Names.LOCK);

    LockNames(LockNameTag tag) {
        this.tag = tag;
        tag.known().forEach(values::bounded);
    }

    /** The value for a lock of this name; the empty text if there is no tag. */
    String valueOf(String lockName) {
        return tag.isChosen() ? values.bounded(tag.valueOf(lockName)) : "";
    }

    /** The values that have meters before any lock is used. */
    List<String> known() {
        if (!tag.isChosen()) {
            return List.of("");
        }
        return tag.known().isEmpty()
                ? List.of()
                : Stream.concat(tag.known().stream().map(values::bounded), Stream.of(TagValues.OTHER))
                        .distinct()
                        .toList();
    }

    /** The tag with this value. */
    Tags tags(String value) {
        return tag.isChosen() ? Tags.of(Names.LOCK, value) : Tags.empty();
    }
}
