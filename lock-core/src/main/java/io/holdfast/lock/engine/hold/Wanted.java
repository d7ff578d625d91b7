package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.LockKind;

/**
 * What a call wants, and what its hold is: a lock, as one kind, with options. One is there for each lock object, so that a
 * call and a hold refer to all three by one reference.
 */
public record Wanted(LockKeys keys, LockKind kind, LockOptions options) {}
