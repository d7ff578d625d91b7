package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.kind.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * As what a lock is wanted and held: its kind, and the options of the lock object. All locks of a client that have its own
 * options share one, so that a call and a hold are no larger for it. A call of which listeners hear has terms of its own.
 */
public record Terms(LockKind kind, LockOptions options, @Nullable Telling telling) {

    public Terms(LockKind kind, LockOptions options) {
        this(kind, options, null);
    }

    /** These terms, for another kind. */
    public Terms as(LockKind other) {
        return new Terms(other, options, telling);
    }

    /** These terms, for one call. */
    public Terms told(Telling call) {
        return new Terms(kind, options, call);
    }
}
