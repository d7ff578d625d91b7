package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.kind.LockKind;

/**
 * As what a lock is wanted and held: its kind, and the options of the lock object. All locks of a client that have its own
 * options share one, so that a call and a hold are no larger for it.
 */
public record Terms(LockKind kind, LockOptions options) {}
